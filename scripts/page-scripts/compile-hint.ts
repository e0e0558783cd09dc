/**
 * V8 compiles the functions of a file that begins with this while the file is coming, on another thread. Each is
 * compiled at its first call otherwise: half of what the first tap in the cart takes. To other engines it is a comment.
 * https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

/** Of what every page of islands loads at once; what an action brings is parsed as it is needed. */
const SHARED = ['react', 'small'];

interface Chunk {
  readonly name: string;
  readonly isEntry: boolean;
}

export const sharedHint = ({ name }: Chunk): string => (SHARED.includes(name) ? COMPILE_HINT : '');

export const entryHint = ({ isEntry }: Chunk): string => (isEntry ? COMPILE_HINT : '');
