import { addDays } from '../../sleep/rules.ts';

/** The holidays that all of Germany has, of any year. Pure. */

const fixed = ['01-01', '05-01', '10-03', '12-25', '12-26'];
/** Good Friday, the Monday of Easter, Ascension, the Monday of Whitsun: days from Easter's Sunday. */
const moving = [-2, 1, 39, 50];

export function isGermanHoliday(date: string): boolean {
  if (fixed.includes(date.slice(5))) return true;
  const easter = easterOf(Number(date.slice(0, 4)));
  return moving.some((days) => addDays(easter, days) === date);
}

/**
 * Easter's Sunday in the Gregorian calendar, by Butcher's algorithm (J. Meeus, Astronomical Algorithms, chapter 8). Its letters are
 * those of the book.
 */
export function easterOf(year: number): string {
  const [b, c] = [Math.trunc(year / 100), year % 100];
  const a = year % 19;
  const g = Math.trunc((8 * b + 13) / 25);
  const h = (19 * a + b - Math.trunc(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.trunc(c / 4) - h - (c % 4)) % 7;
  const m = Math.trunc((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year}-${two(Math.trunc(n / 31))}-${two((n % 31) + 1)}`;
}
