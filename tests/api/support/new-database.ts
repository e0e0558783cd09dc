import { join } from 'node:path';
import { Client } from 'pg';
import { isPostgres } from '#scripts/settings/settings.ts';
import { storedDatabase } from './databases.ts';

/** The address of a database without tables. */
export async function newDatabase(folder: string, name: string): Promise<string> {
  const address = await storedDatabase(join(folder, `${name}.sqlite`));
  if (isPostgres(address)) {
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
  }
  return address;
}
