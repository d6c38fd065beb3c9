// Runs every step, also after one has failed, each with a time limit of its own. At the end: all failures, the seconds of each
// step, and one closing line. `.cache/gate.json` says which commit and tree were judged. It also runs on Node 20: nothing is installed yet.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

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

const env = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off' };
for (const name of ['PROFILE', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN']) delete env[`AWS_${name}`];

// The steps have process groups of their own, which a signal to this one does not reach.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

const judged = judgedCommit();
mkdirSync('.cache', { recursive: true });
// An interrupted run has not passed.
note(false, {});

const outcomes = [];
for (const step of steps) outcomes.push(await outcomeOf(step));

const failures = outcomes.flatMap(({ problems }) => problems);
const sum = (count) => outcomes.reduce((total, outcome) => total + outcome[count], 0);
const passed = failures.length === 0 && sum('passed') > 0;
note(passed, Object.fromEntries(outcomes.map(({ name, seconds }) => [name, seconds])));

for (const problem of failures) console.log(`\n-- ${problem}`);
console.log('\n== seconds of each step');
for (const { name, seconds } of outcomes) console.log(`${String(seconds).padStart(5)} ${name}`);
console.log(`${String(outcomes.reduce((total, { seconds }) => total + seconds, 0)).padStart(5)} in all`);
console.log(`\n${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`);
process.exitCode = passed ? 0 : 1;

async function outcomeOf({ name, words, minutes, results }) {
  console.log(`\n== ${name}`);
  const began = Date.now();
  if (results) rmSync(results, { force: true });
  const noted = results ? ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`] : [];
  const ended = await run([...words, ...noted], minutes * 60_000);
  const found = results ? foundIn(results) : { passed: 0, skipped: 0, failed: [] };
  const problems = found.failed.map((text) => `${name}: ${text}`);
  if (ended.why && problems.length === 0) problems.push(`${name}: ${ended.why}\n${ended.lastLines}`);
  return {
    name,
    seconds: Math.round((Date.now() - began) / 1000),
    passed: found.passed,
    skipped: found.skipped,
    problems,
  };
}

/** @returns why it failed, or null, and the last lines that it printed */
function run(words, limitMs) {
  return new Promise((resolve) => {
    // In a process group of its own, so that nothing that it started outlives the limit.
    const child = spawn('npm', words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, limitMs);
    process.once('exit', end);
    let last = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (chunk) => {
        to.write(chunk);
        last = (last + chunk).slice(-6_000);
      });
    }
    child.on('error', (error) => {
      last += error.message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      process.removeListener('exit', end);
      const why = isLate
        ? `not finished after ${limitMs / 60_000} minutes`
        : code === 0
          ? null
          : `ended with ${code ?? signal}`;
      resolve({ why, lastLines: stripVTControlCharacters(last).split('\n').slice(-40).join('\n') });
    });
  });
}

/** What a run of Vitest found; a file that could not be loaded counts as one failure. */
function foundIn(results) {
  let report;
  try {
    report = JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { passed: 0, skipped: 0, failed: [] };
  }
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [`${file}\n${shortened(message)}`];
    return tests.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n${shortened(failureMessages.join('\n'))}`,
    );
  });
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failed };
}

function shortened(text) {
  return stripVTControlCharacters(text).split('\n').slice(0, 12).join('\n');
}

/** The tree is null where files differ from the commit: what was judged is then no commit. */
function judgedCommit() {
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const isClean = git('status', '--porcelain') === '';
  return { commit: git('rev-parse', 'HEAD'), tree: isClean ? git('rev-parse', 'HEAD^{tree}') : null };
}

function note(isPassed, seconds) {
  writeFileSync('.cache/gate.json', `${JSON.stringify({ ...judged, passed: isPassed, seconds }, null, 2)}\n`);
}
