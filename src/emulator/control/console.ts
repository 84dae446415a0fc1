import { z } from 'zod';
import { checkEntitySecret } from '../../crypto/entitySecret';
import { replaceEntitySecret, resetEntitySecret, rotateEntitySecret } from '../entitySecret';
import { settingsPatchSchema } from '../settings';
import { KEY_STATES } from '../world';
import { control, type ControlTable } from './control';

const secret = z.string().superRefine((text, context) => {
  const problem = checkEntitySecret(text);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

const ciphertext = z.string().min(1);

/** What an owner of the API key does in the console, and the settings of the emulator itself. */
export const consoleControls: ControlTable = {
  'GET /settings': control({ summary: 'Settings of the world', run: ({ settings }) => settings }),
  'PATCH /settings': control({
    summary: 'Changes settings',
    body: settingsPatchSchema,
    run: ({ settings }, { body }) => Object.assign(settings, body),
  }),
  'GET /key': control({ summary: 'State of the API key', run: ({ keyState }) => ({ state: keyState }) }),
  'PUT /key': control({
    summary: 'Revokes, restricts or restores the API key; controls go on taking it',
    body: z.strictObject({ state: z.enum(KEY_STATES) }),
    run: (world, { body }) => {
      world.keyState = body.state;
      return { state: world.keyState };
    },
  }),
  'PUT /entitySecret': control({
    summary: 'Sets, replaces or (null) takes away the entity secret, without proof',
    body: z.strictObject({ entitySecret: secret.nullable() }),
    run: (world, { body }) => {
      if (body.entitySecret !== null) return { recoveryFile: replaceEntitySecret(world, body.entitySecret) };
      world.entitySecret = undefined;
      return undefined;
    },
  }),
  'POST /entitySecret/rotate': control({
    summary: 'Replaces the entity secret, as its owner does with the current one',
    body: z.strictObject({ entitySecretCiphertext: ciphertext, newEntitySecretCiphertext: ciphertext }),
    needsEntityKey: true,
    run: (world, { body }) => {
      const { entitySecretCiphertext: current, newEntitySecretCiphertext: next } = body;
      return { recoveryFile: rotateEntitySecret(world, current, next) };
    },
  }),
  'POST /entitySecret/reset': control({
    summary: 'Replaces an entity secret that was lost, as its owner does with the latest recovery file',
    body: z.strictObject({ recoveryFile: z.string(), newEntitySecretCiphertext: ciphertext }),
    needsEntityKey: true,
    run: (world, { body }) => {
      return { recoveryFile: resetEntitySecret(world, body.recoveryFile, body.newEntitySecretCiphertext) };
    },
  }),
  'POST /reset': control({
    summary: 'Begins a new world with the same key, secret and options',
    recorded: false,
    run: ({ apiKey }, _given, { worlds }) => {
      worlds.reset(apiKey);
    },
  }),
};
