import type { RequestListener } from 'node:http';

/** Answers while the database is not there yet: /healthz is a 200, and all else is to be asked again (faults 96). */
export const answerWhileStarting: RequestListener = ({ url }, response) => {
  const isAlive = url === '/healthz';
  response.writeHead(isAlive ? 200 : 503, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(isAlive ? {} : { 'Retry-After': '1' }),
  });
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : { error: 'The service is starting.' }));
};
