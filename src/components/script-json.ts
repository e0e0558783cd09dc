/** JSON that is safe in a <script>: `<` could end it, and U+2028 and U+2029 end lines in old engines. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
