import { writeFileSync } from 'node:fs';
import { apiDescription } from '#scripts/api/app/calls.ts';

const [file] = process.argv.slice(2);

const text = `${JSON.stringify(apiDescription(), null, 2)}\n`;

if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
