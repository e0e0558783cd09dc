/**
 * Runs a fake payment provider, for a demo without an account: `npm start -- --provider=cashfree` starts this program.
 * It prints the settings for the shop as one line of JSON. Its page lists the open payments.
 */
import { startWithPages } from './pages.ts';

const [name = '', api = ''] = process.argv.slice(2);
try {
  const { url, provider } = await startWithPages(name, () => api);
  process.stdout.write(`${JSON.stringify({ url, environment: provider.environment })}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}
process.on('SIGTERM', () => process.exit(0));
