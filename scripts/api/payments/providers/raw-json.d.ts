interface JSON {
  /** A number written into JSON to the letter (ECMAScript's JSON.parse source text access). */
  rawJSON(text: string): object;
}
