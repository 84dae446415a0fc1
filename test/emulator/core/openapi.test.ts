import { Validator } from '@seriousme/openapi-schema-validator';
import { OPERATION_IDS } from '../../../src/api/contract';
import { closeOwnEmulator, openWorld } from '../../support/emulator';

afterAll(closeOwnEmulator);

// oxlint-disable-next-line typescript/no-explicit-any -- read by path
let document: any;

beforeAll(async () => {
  const { url } = await openWorld();
  document = await (await fetch(`${url}/openapi.json`)).json();
});

test('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(validator.resolveRefs()).toBeDefined();
  expect(document.openapi).toBe('3.1.0');
});

test('has every operation, including alternative public paths', () => {
  const ids = Object.values(document.paths as object).flatMap((path: object) =>
    Object.values(path).map(({ operationId }: { operationId: string }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(OPERATION_IDS));
  expect(document.paths['/v1/faucet/drips'].post.operationId).toBe('requestDrip2');
});

test('describes authentication, requests and responses', () => {
  expect(document.paths['/ping'].get.security).toEqual([]);
  expect(document.components.securitySchemes).toMatchObject({
    apiKey: { type: 'http', scheme: 'bearer' },
    userToken: { type: 'apiKey', in: 'header', name: 'X-User-Token' },
  });
  const { requestBody, responses, security } = document.paths['/v1/w3s/developer/transactions/transfer'].post;
  expect(security).toEqual([{ apiKey: [] }]);
  const { schema } = requestBody.content['application/json'];
  expect(schema.required).toEqual(
    expect.arrayContaining(['idempotencyKey', 'destinationAddress', 'entitySecretCiphertext']),
  );
  expect(schema.properties.feeLevel).toMatchObject({ enum: ['LOW', 'MEDIUM', 'HIGH'] });
  expect(responses['2XX'].content['application/json'].schema.properties.data.required).toEqual(['id', 'state']);
  expect(responses['400'].description).toContain('- `155201` ');
  expect(responses['403'].description).toContain('- `156020` ');
});

test('describes lists with their filters and Link header', () => {
  const { parameters, responses } = document.paths['/v1/w3s/transactions'].get;
  expect(parameters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1 } }),
      { $ref: '#/components/parameters/RequestId' },
    ]),
  );
  expect(responses['2XX'].headers.Link).toEqual({ $ref: '#/components/headers/Link' });
  expect(document.paths['/v1/w3s/wallets/{id}'].get.parameters[0]).toMatchObject({
    name: 'id',
    in: 'path',
    required: true,
  });
});
