import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiText } from './document.ts';

const file = fileURLToPath(new URL(import.meta.resolve('#scripts/api/openapi.json')));
writeFileSync(file, openApiText());
console.log(`Written: ${file}`);
