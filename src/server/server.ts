import { startApi } from './app/start.ts';
import { shownAddress } from './db/open-database.ts';
import { runProgram } from './process/explained-error.ts';
import { jsonLog } from './process/log.ts';
import { loadSettings } from './settings/load.ts';
import { readSettings } from './settings/settings.ts';

runProgram(async () => {
  loadSettings();
  const log = jsonLog();
  const settings = readSettings(process.env);
  const api = await startApi({ ...settings, log });
  if (settings.paymentProviders.includes('sandbox')) {
    log('warn', 'test payments: the sandbox gateway is on, so customers can mark their own orders as paid');
  }
  log('info', 'listening', { port: api.port, database: shownAddress(settings.database) });

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log('info', 'stopping', { signal });
    void api.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
});
