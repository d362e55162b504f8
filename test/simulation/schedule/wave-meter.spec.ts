import { expect, test } from '@jest/globals';
import { Dice } from '../dice.ts';
import { WaveMeter } from './wave-meter.ts';

const hours = 24 * 3_600_000;

test('requests at random times vary as a Poisson process, those in waves more, regular ones less', () => {
  const dice = new Dice(1);
  const [random, waves, regular] = [new WaveMeter(0), new WaveMeter(0), new WaveMeter(0)];
  for (let number = 0; number < 28_800; number += 1) {
    random.add(dice.fraction() * hours);
    waves.add(Math.floor(dice.fraction() * 96) * 900_000 + dice.fraction() * 60_000);
    regular.add(number * 3000);
  }
  expect(Math.abs(random.dispersion(0, hours) - 1)).toBeLessThan(0.1);
  expect(waves.dispersion(0, hours)).toBeGreaterThan(100);
  expect(regular.dispersion(0, hours)).toBeLessThan(0.1);
});
