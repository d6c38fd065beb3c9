import { type Command, InvalidArgumentError, Option } from 'commander';
import { environments } from '../../functions/product.ts';

/** What the help of several commands has. */

export const stage = () =>
  new Option('--stage <stage>', 'a deployed stage, with the AWS credentials and region of the shell').choices(
    environments,
  );

/** It works on a deployed stage, or on the local one. */
export function placed(command: Command): Command {
  const local = new Option('--local', 'the running local stage').conflicts('stage');
  return command.addOption(stage()).addOption(local);
}

export const pollMs = () => new Option('--poll-ms <number>').argParser(wholeNumber(1)).default(5000).hideHelp();

/** The keys that signed before the present ones. */
export function addEarlierKeys(command: Command): Command {
  for (const kind of ['receipt', 'manifest', 'vouching', 'revocation'])
    command.addOption(
      new Option(`--${kind}-key <arn...>`, `earlier generations of the ${kind} key`).default([], 'none'),
    );
  return command;
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(
      `It is a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}.`,
    );
  };
}

export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    const number = text === '' ? Number.NaN : Number(text);
    if (number >= least && Number.isFinite(number)) return number;
    throw new InvalidArgumentError(`It is a number ${least === 0 ? 'from' : 'above'} 0.`);
  };
}

export function time(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('It is a time such as 2026-11-21T12:00:00Z.');
  return at;
}
