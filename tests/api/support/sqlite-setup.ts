import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { noteStatements } from './databases.ts';
import { keepStatements } from './statements.ts';

const statements = new Set<string>();
noteStatements((sql) => statements.add(sql));
afterAll(() => keepStatements(randomUUID(), statements));
