import { stderr } from 'node:process';

/** How far long work is: on a terminal one line that changes, elsewhere a line each time. */
export function showProgress(line: string): void {
  if (stderr.isTTY) stderr.write(`\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}\r`);
  else console.error(line);
}

/** Others may have written texts of rows and names of objects: on a terminal they move no cursor and begin no line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, '?');
}

/** A line that stays. */
export function say(line: unknown, print: (line: unknown) => void = console.log): void {
  if (stderr.isTTY) stderr.write('\x1b[K');
  print(line);
}

/** @param all how much there is, where that is known */
export function counting(what: string, all?: number): (done: number) => void {
  const began = performance.now();
  return (done) => {
    const rate = done / ((performance.now() - began) / 1000);
    const left = all && done > 0 ? `, ${Math.round((all - done) / rate)} s left` : '';
    showProgress(`${done}${all ? ` of ${all}` : ''} ${what}, ${Math.round(rate)}/s${left}`);
  };
}
