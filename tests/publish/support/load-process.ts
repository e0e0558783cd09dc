/** `load-process.ts URL RATE PATH…` makes the load for load.ts until its parent process says stop. */
import { visitors } from './visitors.ts';

const [url = '', rate = '', ...paths] = process.argv.slice(2);
const load = visitors(url, paths, Number(rate));
process.once('message', async () => {
  const report = await load.stop();
  process.send?.(report, () => process.disconnect?.());
});
process.send?.('started');
