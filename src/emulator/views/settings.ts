import { z } from 'zod';
import type { SettingInput, SettingOption, SettingView } from '../page/settingViews';
import { settingDocs, type Settings, settingsSchema } from '../settings';

/** The views of all settings without their values, derived from the settings' schema. */
const SETTING_DOCS: readonly Omit<SettingView, 'value'>[] = Object.entries(settingsSchema.shape).map(
  ([name, schema]) => {
    const { group, meaning, nullMeaning = 'null' } = settingDocs.get(schema)!;
    return {
      name,
      group,
      meaning,
      defaultValue: schema.parse(undefined),
      input: inputOf(name, schema.unwrap(), nullMeaning),
    };
  },
);

export function settingViews(settings: Settings): SettingView[] {
  return SETTING_DOCS.map((doc) => ({ ...doc, value: settings[doc.name as keyof Settings] }));
}

/** @throws Error for a schema for which the page has no input */
function inputOf(name: string, schema: z.ZodType, nullLabel: string): SettingInput {
  const nullable = schema instanceof z.ZodNullable;
  const inner = nullable ? schema.unwrap() : schema;
  if (inner instanceof z.ZodBoolean) return { kind: 'switch' };
  if (inner instanceof z.ZodEnum) return { kind: 'choice', options: optionsOf(schema, nullLabel) };
  if (inner instanceof z.ZodArray) return { kind: 'multiChoice', options: textsOf(inner.element) };
  if (inner instanceof z.ZodString || inner instanceof z.ZodNumber)
    return { kind: 'text', numeric: inner instanceof z.ZodNumber, ...(nullable && { nullLabel }) };
  if (inner instanceof z.ZodObject) return { kind: 'numbers', fields: Object.keys(inner.shape), nullLabel };
  if (inner instanceof z.ZodRecord)
    return { kind: 'choices', keys: textsOf(inner.keyType), options: optionsOf(inner.valueType, nullLabel) };
  throw new Error(`The page has no input for the setting ${name}`);
}

function optionsOf(schema: unknown, nullLabel: string): SettingOption[] {
  if (schema instanceof z.ZodNullable)
    return [{ label: nullLabel, value: null }, ...optionsOf(schema.unwrap(), nullLabel)];
  if (schema instanceof z.ZodBoolean) return [true, false].map((value) => ({ label: String(value), value }));
  return textsOf(schema).map((value) => ({ label: value, value }));
}

function textsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  throw new Error('The page supports only enums here');
}
