/** Bytes that came down a line: bodies by what they are, and the heads of all answers. */
export interface Traffic {
  /** HTML, CSS, JavaScript and the compression dictionary. */
  readonly code: number;
  readonly pictures: number;
  readonly rest: number;
  readonly heads: number;
}

const HEAD = /^HTTP\/1\.1 .*?\r\n\r\n/s;

function bodyOf(head: string): 'code' | 'pictures' | 'rest' {
  const type = /^content-type: *(.*)/im.exec(head)?.[1] ?? '';
  if (/html|css|javascript/.test(type) || /^use-as-dictionary:/im.test(head)) return 'code';
  return type.startsWith('image/') ? 'pictures' : 'rest';
}

const nothing = () => ({ code: 0, pictures: 0, rest: 0, heads: 0 });

/** Counts what servers answer by HTTP/1.1: on a connection an answer begins only when the one before it has ended. */
export function createMeter() {
  let sums = nothing();
  return {
    /** What came since it was taken last. */
    take(): Traffic {
      const taken = sums;
      sums = nothing();
      return taken;
    },
    onConnection() {
      let body = bodyOf('');
      return (chunk: Buffer): void => {
        const [head = ''] = HEAD.exec(chunk.toString('latin1')) ?? [];
        if (head) body = bodyOf(head);
        sums.heads += head.length;
        sums[body] += chunk.length - head.length;
      };
    },
  };
}
