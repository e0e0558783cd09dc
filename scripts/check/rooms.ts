/**
 * Checks that every room of scripts imports only rooms of lower floors, so that no two rooms know each other, and that
 * no folder holds more files than a reader can see at once. A room is a folder of scripts or of scripts/api, with all
 * folders inside it.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** From the lowest floor to the highest. Rooms of one floor do not see each other. */
const FLOORS = [
  ['program', 'serve', 'catalogue', 'api/http'],
  ['settings'],
  ['build', 'api/db'],
  ['api/shop'],
  ['api/office', 'api/pictures'],
  ['api/letters'],
  ['api/customers'],
  ['api/store', 'api/staff', 'api/contact'],
  ['api/payments'],
  ['api/catalogue', 'api/orders', 'api/publishing'],
  ['api/privacy'],
  ['doctor'],
  ['publish', 'api/app'],
  ['check', 'api/commands', 'api', 'start', ''],
] as const;
const MOST_FILES = 15;

const floorOf = new Map<string, number>(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

/** 'api/orders' of 'scripts/api/orders/office/draw.ts'; '' of a file that lies in scripts itself. */
const roomOf = (file: string): string => {
  const [, first = '', second = ''] = dirname(file).split('/');
  return first === 'api' && second ? `${first}/${second}` : first;
};

const IMPORT =
  /^\s*(?:import|export)\s(?:[^'";]*?from\s*)?'(#scripts\/|\.\/)([^']+)'|import\('(#scripts\/|\.\/)([^']+)'\)/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(
    ([, start = '', path = '', laterStart = '', laterPath = '']) =>
      (start || laterStart) === './'
        ? join(dirname(file), path || laterPath)
        : `scripts/${path || laterPath}`,
  );

const problems: string[] = [];
const filesIn = new Map<string, number>();
for await (const file of glob('scripts/**/*.ts')) {
  filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
  const room = roomOf(file);
  const floor = floorOf.get(room);
  if (floor === undefined) problems.push(`${file}: scripts/${room} has no floor in scripts/check/rooms.ts.`);
  for (const imported of importsOf(file)) {
    const other = roomOf(imported);
    if (floor !== undefined && other !== room && (floorOf.get(other) ?? Infinity) >= floor)
      problems.push(
        `${file} imports ${imported}, but scripts/${other} is not on a lower floor than scripts/${room}.`,
      );
  }
}
for (const [folder, files] of filesIn)
  if (files > MOST_FILES) problems.push(`${folder} holds ${files} files, more than ${MOST_FILES}.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
