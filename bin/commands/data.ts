import { Argument, type Command, Option } from 'commander';
import { questions } from '../../functions/analytics/questions.ts';
import { placed, stage, wholeNumber } from './options.ts';

export function addDataCommands(program: Command): void {
  placed(program.command('import-consents'))
    .summary('import consents from another system')
    .description(
      'A line that is refused is printed with its number, and the import continues. A second run imports nothing twice (docs/decisions/0026-import-and-export.md).',
    )
    .requiredOption('--file <file>', 'JSON Lines')
    .requiredOption('--by <name>', 'who signs: a check of the ledger accepts only signed imports')
    .option('--unknown-users', 'also take users who are unknown here: then nobody notices a mistyped id', false)
    .option('--dry-run', 'write nothing', false)
    .action(async (options) => (await import('../import-consents.ts')).run(options));
  placed(program.command('export-tables'))
    .summary('export the tables that researchers and auditors query')
    .description(
      'DynamoDB exports the tables, and Athena gets the views over them. With --local it writes files of the same form.',
    )
    .option('--run <run>', 'continue an interrupted export, such as 20261122T0935Z')
    .option('--out <folder>', 'with --local: where the files go')
    .action(async (options) => (await import('../export-tables.ts')).run(options));
  program
    .command('ask')
    .summary('ask a question about the last export')
    .description(
      'Runs the question in DuckDB on this machine or in Athena, and prints one line for each row, with tabs.',
    )
    .addArgument(new Argument('<question>', 'what to ask').choices(questions.map(({ id }) => id)))
    .argument('[values...]', 'what the question asks for')
    .option('--files <folder>', 'the export that was written there')
    .addOption(stage().conflicts('files'))
    .addHelpText('after', () => `\nQuestions:\n${listed()}`)
    .action(async (question, values, options) => (await import('../ask.ts')).run(question, values, options));
  program
    .command('report')
    .summary('make a page with plots')
    .addOption(new Option('--local', 'of the running local stage').conflicts('files'))
    .option('--files <folder>', 'of an export of tables')
    .option('--out <file>', 'where the page goes', 'report.html')
    .action(async (options) => (await import('../report.ts')).run(options));
  program
    .command('synthesize')
    .summary('put patients who do not exist into the local stage')
    .description(
      'It works only there: in the ledger of a deployed stage they would be backdated evidence about nobody.',
    )
    .requiredOption('--local', 'the running local stage')
    .option('--patients <number>', 'how many', wholeNumber(0), 200)
    .option('--days <number>', 'of data for each', wholeNumber(0), 60)
    .option('--seed <text>', 'the same seed makes the same patients', '1')
    .option('--until <day>', 'the last day (default: yesterday)')
    .action(async (options) => (await import('../synthesize.ts')).run(options));
}

function listed(): string {
  const lines = questions.map(({ id, asks, parameters }) => {
    return `  ${[id, ...parameters.map(({ example }) => `"${example}"`)].join(' ')}\n    ${asks}`;
  });
  return lines.join('\n');
}
