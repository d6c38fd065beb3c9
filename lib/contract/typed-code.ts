/** Neither 0 nor 1 nor 8, which are mistaken for O, I and B: 32 characters, of five bits each. */
export const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Between the characters of a code that somebody typed: also what phones and word processors make of a blank or a hyphen. */
export const separators = /[\s\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
