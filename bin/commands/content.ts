import type { Command } from 'commander';
import { placed } from './options.ts';

/** Publishing a file again changes nothing. The audit events name the command; AWS CloudTrail shows who ran it. */
export function addContentCommands(program: Command): void {
  placed(program.command('publish-content'))
    .summary('publish agreements, questionnaires, bundles, courses and version policies')
    .description(
      'Publishes the files of a folder: catalogue.json with its texts, questionnaires, bundles.json, course.json with its units, and policies (sleepcare-ios.json). All are read first, and each fault is named with its file. To publish again changes nothing; a published version with other content is an error.',
    )
    .requiredOption('--file <paths...>', 'files or folders')
    .option('--dry-run', 'publish nothing, and need no stage: name what there is', false)
    .option('--answers <file>', 'publish nothing: print the scores and flags of these answers to the one questionnaire')
    .action(async (options) => (await import('../publish-content.ts')).run(options));
}
