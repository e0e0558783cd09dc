/** The bytes that came down a line: the bodies by kind, and the heads of all responses. */
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

const noTraffic = () => ({ code: 0, pictures: 0, rest: 0, heads: 0 });

/** Counts HTTP/1.1 responses. On one connection a response begins only when the one before it has ended. */
export function createMeter() {
  let sums = noTraffic();
  return {
    /** Returns the traffic since the last call. */
    take(): Traffic {
      const taken = sums;
      sums = noTraffic();
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
