/** A fault, the code that protects from it, what stands there without, and the test that must fail then. */
export type Protection = readonly [fault: number, file: string, from: string, to: string, test: string];

/** The same for what only a browser sees: the test is found by its title. */
export type BrowserProtection = readonly [...Protection, title: string];
