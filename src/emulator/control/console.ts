import { z } from 'zod';
import { checkEntitySecret } from '../../crypto/entitySecret';
import { KEY_STATES } from '../credentials/apiKey';
import { replaceEntitySecret, resetEntitySecret, rotateEntitySecret } from '../credentials/entitySecret';
import { settingsPatchSchema } from '../settings';
import { control, type ControlTable } from './control';

const entitySecretSchema = z.string().superRefine((text, context) => {
  const problem = checkEntitySecret(text);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

const ciphertext = z.string().min(1);

/** What the owner of the API key does in the console, and the settings of the world. */
export const consoleControls: ControlTable = {
  'GET /settings': control({ summary: 'Returns the settings of the world', run: ({ settings }) => settings }),
  'PATCH /settings': control({
    summary: 'Changes the given settings',
    body: settingsPatchSchema,
    run: ({ settings }, { body }) => Object.assign(settings, body),
  }),
  'DELETE /idempotencyKeys': control({
    summary: 'Forgets all idempotency keys, so that a repeated request is carried out again',
    run: ({ idempotencyKeys }) => idempotencyKeys.clear(),
  }),
  'GET /key': control({ summary: 'Returns the state of the API key', run: ({ keyState }) => ({ state: keyState }) }),
  'PUT /key': control({
    summary: 'Revokes, restricts, orphans or restores the API key; controls still accept it',
    body: z.strictObject({ state: z.enum(KEY_STATES) }),
    run: (world, { body }) => {
      world.keyState = body.state;
      return { state: world.keyState };
    },
  }),
  'PUT /entitySecret': control({
    summary: 'Sets or replaces the entity secret without proof; null removes it',
    body: z.strictObject({ entitySecret: entitySecretSchema.nullable() }),
    run: (world, { body }) => {
      if (body.entitySecret !== null) return { recoveryFile: replaceEntitySecret(world, body.entitySecret) };
      world.entitySecret = undefined;
      return undefined;
    },
  }),
  'POST /entitySecret/rotate': control({
    summary: 'Replaces the entity secret, with the current one as proof',
    body: z.strictObject({ entitySecretCiphertext: ciphertext, newEntitySecretCiphertext: ciphertext }),
    needsEntityKey: true,
    run: (world, { body }) => {
      const { entitySecretCiphertext: current, newEntitySecretCiphertext: next } = body;
      return { recoveryFile: rotateEntitySecret(world, current, next) };
    },
  }),
  'POST /entitySecret/reset': control({
    summary: 'Replaces a lost entity secret, with the latest recovery file as proof',
    body: z.strictObject({ recoveryFile: z.string(), newEntitySecretCiphertext: ciphertext }),
    needsEntityKey: true,
    run: (world, { body }) => {
      return { recoveryFile: resetEntitySecret(world, body.recoveryFile, body.newEntitySecretCiphertext) };
    },
  }),
  'POST /reset': control({
    summary: 'Replaces the world with a new one that has the same key, secret and options',
    recorded: false,
    run: ({ apiKey }, _input, { worlds }) => {
      worlds.reset(apiKey);
    },
  }),
};
