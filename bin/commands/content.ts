import type { Command } from 'commander';
import { placed } from './options.ts';

/** Publishing a file again changes nothing. The audit events name the command; AWS CloudTrail shows who ran it. */
export function addContentCommands(program: Command): void {
  placed(program.command('publish-catalogue'))
    .summary('publish agreements and their texts')
    .description('Publishes a catalogue file and the texts beside it. To publish it again changes nothing.')
    .requiredOption('--file <file>', 'the catalogue.json')
    .action(async (options) => (await import('../publish-catalogue.ts')).run(options));
  placed(program.command('publish-questionnaires'))
    .summary('publish a questionnaire, or try its scores')
    .description('Publishes a questionnaire. To publish it again changes nothing.')
    .requiredOption('--file <file>', 'the questionnaire')
    .option('--dry-run <answers>', 'publish nothing: print the scores and flags that follow from this file of answers')
    .action(async (options) => (await import('../publish-questionnaires.ts')).run(options));
  placed(program.command('publish-course'))
    .summary('publish the course of a folder, or check it')
    .description(
      'Publishes a course. Each fault is named with its file and line. To publish a version again changes nothing; with other content it is an error.',
    )
    .requiredOption('--file <folder>', 'the folder, or the course.json in it')
    .option('--dry-run', 'publish nothing, and need no stage', false)
    .action(async (options) => (await import('../publish-course.ts')).run(options));
}
