/** Starts a fresh emulator without rate limits in its own process, and calls its controls. */

const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const events = require('node:events');
const net = require('node:net');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const CLI = path.join(__dirname, '../dist/src/cli/main.js');
const READY_MS = 30_000;
const POLL_INTERVAL_MS = 100;

/**
 * @returns {Promise<{ url: string, apiKey: string, entitySecret: string, control: Control, stop(): Promise<void> }>}
 * @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Control
 */
async function startEmulator() {
  const apiKey = newApiKey();
  const entitySecret = randomBytes(32).toString('hex');
  const port = await freePort();
  const options = { port, 'api-key': apiKey, 'entity-secret': entitySecret };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [CLI, 'emulator', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  const control = controlOf(url, apiKey);
  // The limits use real time and would only slow the run down.
  await control('PATCH', '/settings', { limits: false });
  return {
    url,
    apiKey,
    entitySecret,
    control,
    async stop() {
      const exited = events.once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

/** A new, well-formed API key. */
function newApiKey() {
  return `TEST_API_KEY:${randomBytes(8).toString('hex')}:${randomBytes(16).toString('hex')}`;
}

/** A function that calls the world's controls (docs/emulator.md#controls). */
function controlOf(url, apiKey) {
  return async (method, route, body) => {
    const response = await realFetch(`${url}/emulator${route}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /emulator${route}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function ready(url, child) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error('The emulator exited before it was ready');
    const response = await realFetch(`${url}/ping`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`The emulator was not ready within ${READY_MS / 1_000} s`);
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await events.once(server, 'listening');
  const { port } = server.address();
  await events.once(server.close(), 'close');
  return port;
}

/** The original `fetch`. sdks/iris.js replaces the global one for the bridging SDKs. */
const realFetch = globalThis.fetch;

module.exports = { CLI, startEmulator, newApiKey };
