// Runs every step, also after one has failed, each with a time limit of its own. At the end: all failures, the seconds of each
// step, and one closing line. `.cache/gate.json` says which commit and tree were judged. It also runs on Node 20: nothing is installed yet.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { closingLines, outcomeOf } from './steps.mjs';

/** `minutes` is after how long a step counts as hanging. `results`: where Vitest notes what it found. */
const steps = [
  { name: 'npm ci', words: ['ci'], minutes: 10 },
  { name: 'npm run check', words: ['run', 'check'], minutes: 10 },
  { name: 'npm test', words: ['test', '--'], minutes: 20, results: '.cache/tests.json' },
  {
    name: 'the seeds of the explorer',
    words: ['run', 'test:gate', '--', '--project=seeds'],
    minutes: 10,
    results: '.cache/gate-seeds.json',
  },
  {
    name: 'cdk synth of prod',
    words: ['run', 'synth', '--', '-c', 'stage=prod', '--output', '.cache/synth-prod'],
    minutes: 10,
  },
  {
    name: 'tests as deployed',
    words: ['run', 'test:gate', '--', '--project=deployed'],
    minutes: 10,
    results: '.cache/gate-deployed.json',
  },
];

const judged = judgedCommit();
mkdirSync('.cache', { recursive: true });
// An interrupted run has not passed.
note(false, {});

const outcomes = [];
for (const step of steps) outcomes.push(await outcomeOf(step));

// Files that were changed meanwhile were judged by a part of the steps only.
const isSame = JSON.stringify(judgedCommit()) === JSON.stringify(judged);
if (!isSame) judged.tree = null;
const passed =
  isSame && outcomes.every(({ problems }) => problems.length === 0) && outcomes.some((outcome) => outcome.passed > 0);
note(passed, Object.fromEntries(outcomes.map(({ name, seconds }) => [name, seconds])));
console.log(closingLines(outcomes));
if (!isSame) console.log('The files changed while the gate ran: nothing has passed.');
process.exitCode = passed ? 0 : 1;

/** The tree is null where files differ from the commit: what was judged is then no commit. */
function judgedCommit() {
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const isClean = git('status', '--porcelain') === '';
  return { commit: git('rev-parse', 'HEAD'), tree: isClean ? git('rev-parse', 'HEAD^{tree}') : null };
}

function note(isPassed, seconds) {
  writeFileSync('.cache/gate.json', `${JSON.stringify({ ...judged, passed: isPassed, seconds }, null, 2)}\n`);
}
