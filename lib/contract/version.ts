/** The release, as in package.json (a test compares the two): a function's bundle need not contain that file. */
export const version = '0.1.0';
