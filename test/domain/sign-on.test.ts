import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantedBy, readGroupRoles } from '../../src/domain/sign-on.ts'

test('entries are group=ROLE, with the books where not both are meant', () => {
  assert.deepEqual(readGroupRoles('a=CLERK:live, /b c=SUPERVISOR,d=VIEWER:live+test'), [
    { group: 'a', role: 'CLERK', modes: ['live'] },
    { group: 'b c', role: 'SUPERVISOR', modes: ['test', 'live'] },
    { group: 'd', role: 'VIEWER', modes: ['test', 'live'] },
  ])
  for (const wrong of [
    '',
    'a',
    'a=',
    '=CLERK',
    'a=clerk',
    'a=BOSS',
    'a=CLERK:',
    'a=CLERK:prod',
    'a=CLERK,',
    'a=CLERK:live+live',
  ]) {
    assert.equal(readGroupRoles(wrong), undefined, wrong)
  }
})

test('the most powerful role of the groups counts, with the books of the groups that gave it', () => {
  const table = readGroupRoles('v=VIEWER,c=CLERK:test,d=CLERK:live,s=SUPERVISOR:live,a=ADMINISTRATOR')!
  const cases: [groups: string[], granted: unknown][] = [
    [[], 'no_group'],
    [['x', 'V', 'c '], 'no_group'],
    [['/v'], { role: 'VIEWER', modes: ['test', 'live'] }],
    [['v', 'c'], { role: 'CLERK', modes: ['test'] }],
    [['d', 'c'], { role: 'CLERK', modes: ['test', 'live'] }],
    [['s', 'c', 'v'], { role: 'SUPERVISOR', modes: ['live'] }],
    [['a'], { role: 'ADMINISTRATOR', modes: ['test', 'live'] }],
    [['a', 'v'], 'roles_conflict'],
  ]
  for (const [groups, granted] of cases) assert.deepEqual(grantedBy(groups, table), granted, groups.join())
})
