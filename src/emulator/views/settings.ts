import { z } from 'zod';
import type { SettingInput, SettingOption, SettingView } from '../page/overviewOfSettings';
import { aboutSettings, settingsSchema, type Settings } from '../settings';

/** Every setting, as its schema has it: nothing about a setting is said twice. */
const ABOUT: readonly Omit<SettingView, 'value'>[] = Object.entries(settingsSchema.shape).map(([name, schema]) => {
  const { group, meaning, nothing = 'null' } = aboutSettings.get(schema)!;
  return { name, group, meaning, standard: schema.parse(undefined), input: inputOf(name, schema.unwrap(), nothing) };
});

export function settingViews(settings: Settings): SettingView[] {
  return ABOUT.map((about) => ({ ...about, value: settings[about.name as keyof Settings] }));
}

/** @throws Error for a schema that the page could not ask for */
function inputOf(name: string, schema: z.ZodType, nothing: string): SettingInput {
  const nullable = schema instanceof z.ZodNullable;
  const inner = nullable ? schema.unwrap() : schema;
  if (inner instanceof z.ZodBoolean) return { kind: 'switch' };
  if (inner instanceof z.ZodEnum) return { kind: 'choice', options: optionsOf(schema, nothing) };
  if (inner instanceof z.ZodArray) return { kind: 'several', options: textsOf(inner.element) };
  if (inner instanceof z.ZodString || inner instanceof z.ZodNumber)
    return { kind: 'text', numeric: inner instanceof z.ZodNumber, ...(nullable && { nothing }) };
  if (inner instanceof z.ZodObject) return { kind: 'numbers', fields: Object.keys(inner.shape), nothing };
  if (inner instanceof z.ZodRecord)
    return { kind: 'choices', keys: textsOf(inner.keyType), options: optionsOf(inner.valueType, nothing) };
  throw new Error(`The page has no input for the setting ${name}`);
}

function optionsOf(schema: unknown, nothing: string): SettingOption[] {
  if (schema instanceof z.ZodNullable) return [{ label: nothing, value: null }, ...optionsOf(schema.unwrap(), nothing)];
  if (schema instanceof z.ZodBoolean) return [true, false].map((value) => ({ label: String(value), value }));
  return textsOf(schema).map((value) => ({ label: value, value }));
}

function textsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  throw new Error('The page can only ask for one of a few texts');
}
