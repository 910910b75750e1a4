import { render } from "preact";
import { readData } from "../shared/data";
import { App } from "./app";
import { format, version, type Story } from "./data";
import "./explain.css";

const story = readData<Story>(format, version, "filch explain --html explain.html");
const root = document.getElementById("app")!;
render(typeof story === "string" ? <p role="alert">{story}</p> : <App story={story} />, root);
