// Runs a step of the gate, or a shard of `npm run verify`, and says what it found. It also runs on Node 20.
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const env = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off' };
for (const name of ['PROFILE', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN']) delete env[`AWS_${name}`];

// Steps have process groups of their own, which a signal to this one does not reach.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

export async function outcomeOf({ name, words, minutes, results, log, variables = {} }) {
  if (!log) console.log(`\n== ${name}`);
  const began = Date.now();
  if (results) rmSync(results, { force: true });
  const noted = results ? ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`] : [];
  const ended = await run([...words, ...noted], minutes * 60_000, variables, log);
  const found = results ? foundIn(results) : { passed: 0, skipped: 0, failed: [] };
  const problems = found.failed.map((text) => `${name}: ${text}`);
  // Also beside failed tests: an error outside of them, or the scan for personal data, stands only there.
  if (ended.why) problems.push(`${name}: ${ended.why}\n${ended.lastLines}`);
  else if (results && found.passed === 0) problems.push(`${name}: no test passed, so it proves nothing`);
  return {
    name,
    seconds: Math.round((Date.now() - began) / 1000),
    passed: found.passed,
    skipped: found.skipped,
    problems,
  };
}

/** @returns why it failed, or null, and the last lines that it printed */
function run(words, limitMs, variables, log) {
  // A disk that is full changes no result.
  const file = log && createWriteStream(log).on('error', () => undefined);
  return new Promise((resolve) => {
    // In a process group of its own, so that nothing that it started outlives the limit.
    const child = spawn('npm', words, {
      env: { ...env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
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
      // What left the group may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, limitMs);
    process.once('exit', end);
    let last = '';
    for (const [from, to] of [
      [child.stdout, file ?? process.stdout],
      [child.stderr, file ?? process.stderr],
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
      file?.end();
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

/** Every failure, the seconds of each, and the closing line. */
export function closingLines(outcomes, inAll) {
  const sum = (count) => outcomes.reduce((total, outcome) => total + outcome[count], 0);
  const failures = outcomes.flatMap(({ problems }) => problems);
  const line = (seconds, name) => `${String(seconds).padStart(5)} ${name}`;
  return [
    ...failures.map((problem) => `\n-- ${problem}`),
    '\n== seconds of each step',
    ...outcomes.map(({ name, seconds }) => line(seconds, name)),
    line(inAll ?? sum('seconds'), 'in all'),
    `\n${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`,
  ].join('\n');
}
