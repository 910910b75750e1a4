import { render } from "preact";
import { readData } from "../shared/data";
import { App } from "./app";
import { format, version, type Data } from "./data";
import { unpack } from "./recording";
import "./report.css";

const data = readData<Data>(format, version, "filch report run.filch --html report.html");
const root = document.getElementById("app")!;
render(typeof data === "string" ? <p role="alert">{data}</p> : <App data={data} from={unpack(data)} />, root);
