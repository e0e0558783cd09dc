import { forgetStatements } from './statements.ts';

/** Vitest runs this before the tests of the project `api`. */
export default forgetStatements;
