// Counts the round trips in sequence of an invocation, inside a function's process. Each call to a dependency is held until
// the process has nothing else to do and no call is under way; then all that are held go at once: one round trip. So no time
// is measured, and a process that should be taken for idle too early is counted with a trip too many, never with one too few.
//
// Plain JavaScript, as the bundle that it stands around.

import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Turns of the event loop without a call, after which nothing but the held calls is waited for. */
const idleTurns = 20;

/** What is counted; null outside of an invocation, where nothing is held. */
let counting = null;
let held = [];
let underWay = 0;
let calls = 0;
let isWatched = false;
let clockTable;

class HoldingAgent extends http.Agent {
  createConnection(options, done) {
    const connect = () => {
      underWay += 1;
      const socket = net.connect(options);
      socket.once('close', () => {
        underWay -= 1;
      });
      done(null, socket);
    };
    if (counting) hold(connect, options.ofClock);
    else connect();
  }
}

const agent = new HoldingAgent({ keepAlive: false });
const original = http.request;

http.request = (...given) => {
  const said = { body: '' };
  const ofClock = () => isGet && clockTable !== undefined && said.body.includes(`"${clockTable}"`);
  const at = typeof given[0] === 'string' || given[0] instanceof URL ? 1 : 0;
  const options = typeof given[at] === 'object' ? given[at] : {};
  const isGet = String(options.headers?.['x-amz-target']).endsWith('.GetItem');
  const request = original(
    ...given.slice(0, at),
    { ...options, agent, ofClock },
    given.find((each) => typeof each === 'function'),
  );
  if (String(options.path).endsWith('/invocations')) request.prependListener('response', readInner);
  for (const name of ['write', 'end']) {
    const send = request[name];
    request[name] = (chunk, ...more) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) said.body += Buffer.from(chunk).toString('utf8');
      return send.call(request, chunk, ...more);
    };
  }
  return request;
};
http.get = (...given) => {
  const request = http.request(...given);
  request.end();
  return request;
};
syncBuiltinESMExports();

/** What a function that this one invokes has counted, which its answer says. */
function readInner(response) {
  const { push } = response;
  let text = '';
  response.push = (chunk, ...more) => {
    if (chunk) text += Buffer.from(chunk).toString('utf8');
    else if (counting) {
      const { trips = 0, ofClock = 0 } = JSON.parse(text).roundTrips ?? {};
      counting.trips += trips;
      counting.ofClock = Math.max(counting.ofClock, ofClock);
    }
    return push.call(response, chunk, ...more);
  };
}

function hold(connect, ofClock) {
  calls += 1;
  held.push({ connect, ofClock });
  if (!isWatched) void release();
}

async function release() {
  isWatched = true;
  await idle();
  const clock = held.filter(({ ofClock }) => ofClock());
  held = held.filter((call) => !clock.includes(call));
  if (clock.length > 0) {
    // The clock's answer comes before the others': what is called then has waited for nothing else.
    const beside = held.length;
    if (beside === 0) counting.ofClock = 1;
    for (const { connect } of clock) connect();
    await idle();
    if (held.length > beside && counting) counting.ofClock = 1;
  }
  const batch = held;
  held = [];
  isWatched = false;
  if (batch.length > 0) counting.trips += 1;
  for (const { connect } of batch) connect();
}

/** Until no call is under way and none comes. */
async function idle() {
  for (let quiet = 0, before = calls; quiet < idleTurns; quiet += 1) {
    await turn();
    if (underWay > 0 || calls !== before) quiet = -1;
    before = calls;
  }
}

/**
 * @param clockVariable names the table of the clock, where there is one
 * @returns the bundle's handler, whose answers have `X-Round-Trips`: how many, and 1 where something waited for the clock. Those of
 * a function that another one invokes are added to that one's
 */
export async function counted(load, clockVariable) {
  clockTable = process.env[clockVariable];
  const { handler } = await load();
  return async (event, context) => {
    counting = { trips: 0, ofClock: 0 };
    try {
      const answer = await handler(event, context);
      const { trips, ofClock } = counting;
      if (answer.statusCode === undefined) return { ...answer, roundTrips: { trips, ofClock } };
      return { ...answer, headers: { ...answer.headers, 'X-Round-Trips': `${trips} ${ofClock}` } };
    } finally {
      counting = null;
    }
  };
}
