import { parseArgs } from 'node:util';
import type { Changes } from '#scripts/publish/release/changes.ts';
import { runProgram, stopSignal } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH, type PublishSettings } from '#server/settings/settings.ts';
import { publish } from './publish/publish.ts';
import { summaryOf } from './publish/release/changes.ts';
import { rollBack } from './publish/release/switch.ts';

const USAGE = `npm run release                       build, check and switch to a new release
npm run release -- --dry-run          say what would change
npm run release -- --rollback         go back to the release before, without building
npm run release -- --rollback --to ID go back to that one
  --demo                              a demonstration: each page says so, and may name the demo's company
  --allow-shrink                      the catalogue may be more than 30 % smaller than before`;

const printChanges = (changes: Changes): void => {
  console.log(summaryOf(changes).join('\n'));
};

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    rollback: { type: 'boolean', default: false },
    to: { type: 'string' },
    demo: { type: 'boolean', default: false },
    'allow-shrink': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function goBack(root: string): Promise<void> {
  const { from, to } = await rollBack(root, { to: values.to });
  console.log(`Back from ${from} to ${to}.`);
  if (!process.env.PUBLISH_AFTER) console.log('No command followed, because PUBLISH_AFTER is not set.');
}

async function goForward(settings: PublishSettings): Promise<void> {
  const started = performance.now();
  const { id, changes } = await publish({
    root: settings.PUBLISH_DIR,
    dryRun: values['dry-run'],
    allowShrink: values['allow-shrink'],
    signal: stopSignal(),
    onPhase: (phase) => console.log(`${phase} …`),
    onSwitch: printChanges,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (values['dry-run']) {
    console.log('Dry run, nothing was published. It would change:');
    printChanges(changes);
  } else if (id !== undefined) console.log(`Release ${id} is live after ${seconds} s.`);
  else console.log(`Nothing has changed since the live release (${seconds} s).`);
}

runProgram(async () => {
  if (values.help) return console.log(USAGE);
  loadSettings();
  if (values.demo) process.env.PUBLIC_DEMO = 'true';
  const settings = parseSettings(PUBLISH, process.env);
  await (values.rollback ? goBack(settings.PUBLISH_DIR) : goForward(settings));
});
