const PLAIN_EVERY_MS = 5_000;

/** One line that is written anew on a terminal, and a line now and then in a log. */
export const createProgress = (output: NodeJS.WriteStream) => {
  let last = 0;
  return {
    show: (text: string): void => {
      if (output.isTTY) output.write(`\r\x1b[2K${text}`);
      else if (performance.now() - last >= PLAIN_EVERY_MS) {
        last = performance.now();
        output.write(`${text}\n`);
      }
    },
    done: (text: string): void => {
      output.write(output.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
    },
  };
};
