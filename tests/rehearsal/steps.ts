import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';

/** An owner's values for store.json. */
export const OWNER = {
  storeName: 'Meera Mangoes',
  companyName: 'Meera Fruits LLP',
  companyAddress: '7 Station Road, Ratnagiri 415612, Maharashtra',
  companyEmail: 'care@meera-mangoes.in',
  companyPhone: '+91 98220 12345',
  description: 'Mangoes from our own orchards.',
  grievanceOfficer: {
    name: 'Ravi Patil',
    designation: 'Grievance Officer',
    hours: 'Monday to Friday 10:00-17:00',
  },
};

/** The commands of a page for Caddy and SQLite, in order. A word after `sh` names the choice that a block belongs to. */
export function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(join('scripts/hosting', page), 'utf8');
  const [, part = ''] = text.split(`\n## ${heading}\n`);
  const [section = ''] = part.split('\n## ');
  return [...section.matchAll(/^```sh(?: (?:caddy|sqlite))?\n([\s\S]*?)^```$/gm)].flatMap(([, lines = '']) =>
    lines.trim().split('\n'),
  );
}

/**
 * Takes the steps of 'One machine', with a catalogue of the owner's own and the sandbox. Returns what the commands said.
 * @param last the beginning of the command after which it ends
 */
export async function setUp(machine: Machine, last?: string): Promise<string[]> {
  const outputs: string[] = [];
  for (const command of commandsOf('README.md', 'One machine')) {
    // The doctor rightly fails here: the owner has no password yet, and no backup was made.
    outputs.push(await machine.run(command.endsWith('npm run doctor') ? `${command} || true` : command));
    if (last !== undefined && command.startsWith(last)) break;
    if (command.endsWith(' .env'))
      await machine.run("sed -i 's/^SANDBOX_GATEWAY=.*/SANDBOX_GATEWAY=on/' .env");
    if (!command.startsWith('cp -r scripts/demo')) continue;
    const folder = join(machine.home, 'srv/shop/catalogue');
    rmSync(folder, { recursive: true });
    cpSync('tests/server/fixtures/catalogue', folder, { recursive: true });
    const store: unknown = JSON.parse(readFileSync(join(folder, 'store.json'), 'utf8'));
    const own = JSON.stringify({ ...Object(store), ...OWNER, siteUrl: machine.site });
    writeFileSync(join(folder, 'store.json'), own);
  }
  return outputs;
}
