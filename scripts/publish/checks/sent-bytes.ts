import { Agent, get } from 'node:http';

/** Bytes of the ten TCP segments that a server sends before it waits for an acknowledgement (RFC 6928). */
export const FIRST_WINDOW = 10 * 1_460;

/** How many bytes a server sends to a browser that supports brotli: status line, headers and body. */
export const sentBytes = (url: string): Promise<number> => {
  // Keep-alive as in a browser, because it changes the response headers.
  const agent = new Agent({ keepAlive: true });
  const sent = new Promise<number>((resolve, reject) => {
    get(url, { agent, headers: { 'Accept-Encoding': 'gzip, deflate, br' } }, (response) => {
      if (Number(response.statusCode) >= 500) reject(new Error(`${url} answered ${response.statusCode}`));
      const { socket } = response;
      response.resume().on('end', () => resolve(socket.bytesRead));
      response.on('error', reject);
    }).on('error', reject);
  });
  return sent.finally(() => agent.destroy());
};
