/** Receives webhooks. */

const events = require('node:events');
const http = require('node:http');
const { text } = require('node:stream/consumers');

/** Listens until the process ends. @returns {Promise<{ url: string, received: { headers: object, body: string }[] }>} */
async function startReceiver() {
  const received = [];
  const receive = async (request, response) => {
    const body = await text(request);
    if (request.method === 'POST') received.push({ headers: request.headers, body });
    response.end();
  };
  const server = http.createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1').unref();
  await events.once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/webhooks`, received };
}

module.exports = { startReceiver };
