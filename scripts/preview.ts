import { parseArgs } from 'node:util';
import { runProgram, stopSignal } from '#server/process/explained-error.ts';
import { PORTS } from '#server/settings/settings.ts';
import { serveSite } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: process.env.OUT_DIR ?? 'dist' },
    port: { type: 'string', default: process.env.PORT ?? String(PORTS.site) },
  },
});

runProgram(async () => {
  const server = await serveSite({ directory: values.dir, port: Number(values.port) });
  console.log(`${values.dir} is served at ${server.url}`);
  stopSignal().addEventListener('abort', server.close);
});
