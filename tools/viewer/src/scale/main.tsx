import { render } from "preact";
import { readData } from "../shared/data";
import { App } from "./app";
import { format, version, type Data } from "./data";
import "./scale.css";

const data = readData<Data>(format, version, "filch scale fib --html scale.html");
render(typeof data === "string" ? <p role="alert">{data}</p> : <App data={data} />, document.getElementById("app")!);
