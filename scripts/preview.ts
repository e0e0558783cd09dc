import { parseArgs } from 'node:util';
import { serveSite } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: process.env.OUT_DIR ?? 'dist' },
    port: { type: 'string', default: process.env.PORT ?? '4321' },
  },
});

const server = await serveSite({
  directory: values.dir,
  port: Number(values.port),
}).catch((error: unknown) => {
  process.stderr.write(`Cannot serve ${values.dir} on port ${values.port}: ${String(error)}\n`);
  process.exit(1);
});
process.stdout.write(`${values.dir} is served at ${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void server.close());
}
