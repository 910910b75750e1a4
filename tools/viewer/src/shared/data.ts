// What the program has put into the page.

export interface Envelope {
  format: string;
  version: number;
}

/** The data of the page, or a sentence that says why there is none; `command` is what would fill it. */
export function readData<T extends Envelope>(format: string, version: number, command: string): T | string {
  const text = document.getElementById("filch-data")?.textContent ?? "null";
  const data = JSON.parse(text) as T | null;
  if (data === null) return `This page is empty: the program fills it. Try ${command}.`;
  if (data.format !== format) return `This page shows ${format}, and was given ${data.format}.`;
  if (data.version !== version) return `This page reads version ${version} of ${format}, and was given version ${data.version}.`;
  return data;
}
