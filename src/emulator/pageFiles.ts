import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Compiled by the build; from source, tests find it where the build has left it. */
const FOLDER = [join(__dirname, 'page'), join(__dirname, '../../dist/src/emulator/page')].find((folder) =>
  existsSync(join(folder, 'main.js')),
);

/** The page: `/emulator`, with its files below `/emulator/page/`. Needs nothing from elsewhere. */
export function mountPage(scope: FastifyInstance): void {
  if (FOLDER === undefined) return;
  scope.register(fastifyStatic, { root: FOLDER, prefix: '/page/', index: false, cacheControl: false });
  scope.get('/', (_request, reply) => reply.header('content-security-policy', POLICY).sendFile('index.html'));
}

/** Styles of its own are inline in the import map's neighbour only; nothing is loaded from or sent to another host. */
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline'; img-src 'self' data:; style-src 'self'";
