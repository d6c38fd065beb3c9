#!/usr/bin/env node
import { Command, CommanderError, Help, type Option } from 'commander';
import { addContentCommands } from './commands/content.ts';
import { addDataCommands } from './commands/data.ts';
import { addDevelopCommands } from './commands/develop.ts';
import { examples, exitCodes } from './commands/examples.ts';
import { addOperateCommands } from './commands/operate.ts';
import { addProveCommands } from './commands/prove.ts';

/** The command line. What a command needs is imported when it runs, so that help is there at once. */

export const program = new Command('npm run cli --')
  .usage('<command>  (--help: options, an example, exit codes)')
  .helpCommand(false)
  .helpOption('-h, --help', 'print this')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}; ${hint()}\n`) })
  .configureHelp({ subcommandTerm: (command) => command.name(), commandDescription, optionDescription, formatHelp });

const groups = {
  'Develop:': addDevelopCommands,
  'Content:': addContentCommands,
  'Operate:': addOperateCommands,
  'Prove:': addProveCommands,
  'Data:': addDataCommands,
};
for (const [heading, add] of Object.entries(groups)) {
  program.commandsGroup(heading);
  add(program);
}

for (const command of program.commands) {
  const codes = exitCodes[command.name()] ?? '0 done, 1 refused or failed';
  // An unset variable of the shell is no value.
  command.hook('preAction', () => {
    const empty = command.options.find((option) => command.getOptionValue(option.attributeName()) === '');
    if (empty) command.error(`error: option '${empty.flags}' has an empty value`);
  });
  command.addHelpText('after', `\nExample: ${examples[command.name()]}\nExit codes: ${codes}`);
}

if (import.meta.main) {
  // Who reads no further, as `head` does, has seen enough: the command goes on to its end.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(error.message);
    process.exit(1);
  });
  try {
    await program.parseAsync(words(process.argv));
  } catch (error) {
    if (!(error instanceof CommanderError)) (await import('./progress.ts')).say(saidOf(error), console.error);
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    process.exitCode = isHelp ? 0 : exitCodes[process.argv[2] ?? '']?.includes('2 ') ? 2 : 1;
  }
}

/** `-c stage=dev` is how the CDK's own commands name a stage. */
function words(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    if (/^(-c|--context)$/.test(word) && argv[index + 1]?.startsWith('stage=')) return [];
    const isContext = /^(-c|--context)$/.test(argv[index - 1] ?? '') && word.startsWith('stage=');
    return isContext ? ['--stage', word.slice('stage='.length)] : [word];
  });
}

function commandDescription(command: Command): string {
  const summary = command.summary();
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.\n\n${command.description()}`.trim();
}

function optionDescription(option: Option): string {
  const text = Help.prototype.optionDescription(option).replace(' (default: false)', '');
  return option.mandatory ? `${text} (required)` : text;
}

/** All commands on one screen: without options and empty lines. */
function formatHelp(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  return command === program ? text.replace(/^Options:\n.*\n/m, '').replace(/\n\n+/g, '\n') : text;
}

function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
}

function hint(): string {
  const named = program.commands.find((command) => command.name() === process.argv[2]);
  return `npm run cli -- ${named ? `${named.name()} ` : ''}--help says more`;
}

/** The stack trace is for a defect. An error that somebody could foresee explains itself. */
function saidOf(error: unknown): unknown {
  if (error instanceof ReferenceError || (error instanceof TypeError && !('code' in error) && !error.cause))
    return error;
  if (!(error instanceof Error)) return Object(error).code ?? error;
  if (error.message === 'Region is missing')
    return 'Region is missing: export AWS_REGION=eu-central-1, or the region of the stage';
  if (error.name === 'CredentialsProviderError') return `${error.message}: export AWS_PROFILE=…, or sign in`;
  return error.message;
}
