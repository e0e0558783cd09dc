import { join } from 'node:path';
import { createMachine, type Machine } from './machine/machine.ts';
import { putOwnCatalogue } from './own-catalogue.ts';
import { type Choice, commandsOf } from './page.ts';
import { buy, enterOffice, openBrowser } from './shopper.ts';

const PAGE = 'scripts/api/hosting/README.md';

export interface Options {
  /** Whether `npm ci` really installs. */
  readonly whole?: boolean;
  /** A folder for a picture of each page of the shop. */
  readonly pictures?: string | undefined;
  readonly say?: (text: string) => void;
}

/**
 * Takes the steps of 'One machine', with a catalogue of the owner's own. Returns what the commands said, in order.
 * @param last the beginning of the command after which it ends
 */
export async function setUp(
  machine: Machine,
  choice: Choice,
  { say = () => {}, last }: { say?: ((text: string) => void) | undefined; last?: string } = {},
): Promise<{ command: string; output: string }[]> {
  const done: { command: string; output: string }[] = [];
  for (const { heading, command } of commandsOf(PAGE, choice)) {
    if (heading !== 'One machine') continue;
    const started = performance.now();
    done.push({ command, output: await machine.run(command) });
    say(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${command}`);
    const [, folder] = /^cp -r scripts\/catalogue (\S+)$/.exec(command) ?? [];
    if (last !== undefined && command.startsWith(last)) break;
    if (folder) putOwnCatalogue(join(machine.home, folder), machine.site);
  }
  return done;
}

/** Takes the steps of the page, then buys something and finds the order in the office. @throws Error where a step fails */
export async function rehearse(choice: Choice, { whole = false, pictures, say }: Options = {}) {
  const machine = await createMachine(choice, { whole });
  try {
    const done = await setUp(machine, choice, { say });
    const link = done.map(({ output }) => /https:\/\/\S+\/office\/link\/\S+/.exec(output)?.[0]).find(Boolean);
    const browser = await openBrowser(pictures);
    try {
      const order = await buy(browser, machine.site);
      await enterOffice(browser, link ?? '', order);
      await machine.run('systemctl start shop-backup');

      return { commands: done.length, order };
    } finally {
      await browser.close();
    }
  } finally {
    await machine.close();
  }
}
