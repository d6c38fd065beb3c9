/** The release, as package.json has it (a test compares the two): a function's bundle need not carry that file. */
export const version = '0.1.0';
