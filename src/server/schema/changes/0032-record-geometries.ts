import type { Migration } from "../../database/migration.ts";
import { raw } from "../../database/statement.ts";

/**
 * Functions of PostgreSQL that test geometries of records as `src/lib/geometry` does. SQLite has
 * them from the platform itself.
 */
export const migration: Migration = {
  name: "0032-record-geometries",
  async up({ run, dialect }) {
    if (dialect === "sqlite") return;
    for (const each of [side, between, edges, intersects, within, metres]) await run(raw(each));
    for (const each of [passes, metresOrNull]) await run(raw(each));
  },
};

/** The side of a line on which a point is: -1, 0 on it, or 1. */
const side = `create function svc_side(x1 float8, y1 float8, x2 float8, y2 float8, x float8, y float8)
  returns float8 language sql immutable parallel safe as $$
    select sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) $$`;

/** Metres between two positions on a sphere, by the haversine formula. */
const between = `create function svc_metres_between(x1 float8, y1 float8, x2 float8, y2 float8)
  returns float8 language sql immutable parallel safe as $$
    select 2 * 6378100::float8 * asin(least(1::float8, sqrt(power(sin(radians(y2 - y1) / 2), 2)
      + cos(radians(y1)) * cos(radians(y2)) * power(sin(radians(x2 - x1) / 2), 2)))) $$`;

/**
 * The edges of a geometry's lines and rings, and its points as edges without a length. `part` is
 * the number of the polygon. Altitudes are left out.
 */
const edges = `create function svc_geometry_edges(geometry jsonb)
  returns table (kind text, part bigint, is_first boolean,
    x1 float8, y1 float8, x2 float8, y2 float8)
  language sql immutable parallel safe as $$
    with recursive shapes as (
      select geometry as shape, 1 as depth
      union all
      select member, depth + 1 from shapes, jsonb_array_elements(shape -> 'geometries') as member
      where shape ->> 'type' = 'GeometryCollection' and depth < 10
    ), given as materialized (
      select shape ->> 'type' as type, shape -> 'coordinates' as coordinates from shapes
    ), polygons as (
      select row_number() over () as part, rings from (
        select coordinates as rings from given where type = 'Polygon'
        union all
        select rings from given, jsonb_array_elements(coordinates) as rings
        where type = 'MultiPolygon') as each
    ), lists as (
      select row_number() over () as list, * from (
        select 'point' as kind, 0::bigint as part, jsonb_build_array(coordinates) as corners
        from given where type = 'Point'
        union all select 'point', 0, coordinates from given where type = 'MultiPoint'
        union all select 'line', 0, coordinates from given where type = 'LineString'
        union all select 'line', 0, line from given, jsonb_array_elements(coordinates) as line
        where type = 'MultiLineString'
        union all select 'area', polygons.part, ring
        from polygons, jsonb_array_elements(rings) as ring) as each
    ), corners as (
      select list, kind, part, place, (corner ->> 0)::float8 as x, (corner ->> 1)::float8 as y
      from lists, jsonb_array_elements(corners) with ordinality as each(corner, place)
    ), steps as (
      select kind, part, place, x, y, lag(x) over lines as last_x, lag(y) over lines as last_y
      from corners window lines as (partition by list order by place)
    )
    select kind, part, true, x, y, x, y from steps where kind = 'point'
    union all
    select kind, part, place = 2, last_x, last_y, x, y from steps
    where kind <> 'point' and (last_x <> x or last_y <> y) $$`;

/** True where the line from a position to the east crosses this edge. */
const crosses = (edge: string, x: string, y: string): string =>
  `(${edge}.kind = 'area' and (${edge}.y1 > ${y}) <> (${edge}.y2 > ${y})
    and svc_side(${edge}.x1, ${edge}.y1, ${edge}.x2, ${edge}.y2, ${x}, ${y})
      = case when ${edge}.y2 > ${edge}.y1 then 1 else -1 end)`;

/** True if a position is inside of an area by the rule of even and odd crossings. */
const isInside = (area: string, x: string, y: string): string =>
  `exists (select from ${area} as ring where ${crosses("ring", x, y)}
    group by ring.part having count(*) % 2 = 1)`;

const isOnEdge = (area: string, x: string, y: string): string =>
  `exists (select from ${area} as ring where ring.kind = 'area'
    and ${x} between least(ring.x1, ring.x2) and greatest(ring.x1, ring.x2)
    and ${y} between least(ring.y1, ring.y2) and greatest(ring.y1, ring.y2)
    and svc_side(ring.x1, ring.y1, ring.x2, ring.y2, ${x}, ${y}) = 0)`;

/** True if the edges \`one\` and \`other\` have a point in common. */
const meet = `least(one.x1, one.x2) <= greatest(other.x1, other.x2)
  and least(other.x1, other.x2) <= greatest(one.x1, one.x2)
  and least(one.y1, one.y2) <= greatest(other.y1, other.y2)
  and least(other.y1, other.y2) <= greatest(one.y1, one.y2)
  and svc_side(other.x1, other.y1, other.x2, other.y2, one.x1, one.y1)
    * svc_side(other.x1, other.y1, other.x2, other.y2, one.x2, one.y2) <= 0
  and svc_side(one.x1, one.y1, one.x2, one.y2, other.x1, other.y1)
    * svc_side(one.x1, one.y1, one.x2, one.y2, other.x2, other.y2) <= 0`;

/** PostgreSQL plans the statement of such a function once in a session. */
const planned = `language plpgsql immutable parallel safe
  set plan_cache_mode = force_generic_plan set jit = off`;

const intersects = `create function svc_geometry_intersects(geometry jsonb, area jsonb)
  returns boolean ${planned} as $$ begin return (
    with own as materialized (select * from svc_geometry_edges(geometry)),
      others as materialized (select * from svc_geometry_edges(area))
    select exists (select from own as one, others as other where ${meet})
      or exists (select from own as one where is_first and ${isInside("others", "one.x1", "one.y1")})
      or exists (select from others as one where is_first and ${isInside("own", "one.x1", "one.y1")})
  ); end $$`;

/**
 * Each edge is cut where it meets the area's edges. No piece may be outside, and one must be
 * inside; an area also needs an inner position there, and no edge of the other area inside of it.
 */
const within = `create function svc_geometry_within(geometry jsonb, area jsonb)
  returns boolean ${planned} as $$ begin return (
    with own as materialized (
      select row_number() over () as id, * from svc_geometry_edges(geometry)
    ), others as materialized (
      select * from svc_geometry_edges(area) where kind = 'area'
    ), meetings as materialized (
      select one.id, start_side, start_side - end_side as change, from_place, to_place
      from own as one join others as other on one.kind <> 'point' and ${meet},
        lateral (select
          (other.x2 - other.x1) * (one.y1 - other.y1) - (other.y2 - other.y1) * (one.x1 - other.x1)
            as start_side,
          (other.x2 - other.x1) * (one.y2 - other.y1) - (other.y2 - other.y1) * (one.x2 - other.x1)
            as end_side,
          case when abs(one.x2 - one.x1) >= abs(one.y2 - one.y1)
            then (other.x1 - one.x1) / nullif(one.x2 - one.x1, 0)
            else (other.y1 - one.y1) / nullif(one.y2 - one.y1, 0) end as from_place,
          case when abs(one.x2 - one.x1) >= abs(one.y2 - one.y1)
            then (other.x2 - one.x1) / nullif(one.x2 - one.x1, 0)
            else (other.y2 - one.y1) / nullif(one.y2 - one.y1, 0) end as to_place) as sides
    ), covers as materialized (
      select id, greatest(0, least(from_place, to_place)) as start,
        least(1, greatest(from_place, to_place)) as finish from meetings where change = 0
    ), cuts as (
      select id, 0::float8 as place from own where kind <> 'point'
      union select id, 1 from own where kind <> 'point'
      union select id, start_side / change from meetings where change <> 0
      union select id, start from covers
      union select id, finish from covers
    ), pieces as (
      select id, place as start, lead(place) over (partition by id order by place) as finish
      from cuts
    ), probes as materialized (
      select x1 + (start + finish) / 2 * (x2 - x1) as x, y1 + (start + finish) / 2 * (y2 - y1) as y,
        finish - start < 1e-12 as is_short
      from pieces join own using (id)
      where finish is not null and not exists (select from covers where covers.id = pieces.id
        and (pieces.start + pieces.finish) / 2 between covers.start and covers.finish)
      union all select x1, y1, false from own where kind = 'point'
    ), located as materialized (
      select is_short, case when ${isOnEdge("others", "probes.x", "probes.y")} then 0
        when ${isInside("others", "probes.x", "probes.y")} then 1 else -1 end as location
      from probes
    ), levels as (
      select part, avg(y) as y from (
        select part, y1 as y, dense_rank() over (partition by part order by y1) as place
        from own where kind = 'area' group by part, y1) as each
      where place <= 2 group by part
    ), inner_places as materialized (
      select part, y, avg(x) as x from (
        select levels.part, y, x1 + (y - y1) / (y2 - y1) * (x2 - x1) as x,
          row_number() over (partition by levels.part
            order by x1 + (y - y1) / (y2 - y1) * (x2 - x1)) as place
        from levels join own on own.part = levels.part and kind = 'area'
          and (y1 > y) <> (y2 > y)) as each
      where place <= 2 group by part, y
    )
    select not exists (select from located where location < 0 and not is_short)
      and (exists (select from located where location > 0) or exists (select from inner_places))
      and not exists (select from inner_places as place
        where not ${isInside("others", "place.x", "place.y")}
          and not ${isOnEdge("others", "place.x", "place.y")})
      and not exists (select from others as one where exists (select from inner_places)
        and ((${isInside("own", "one.x1", "one.y1")}
            and not ${isOnEdge("own", "one.x1", "one.y1")})
          or (${isInside("own", "(one.x1 + one.x2) / 2", "(one.y1 + one.y2) / 2")}
            and not ${isOnEdge("own", "(one.x1 + one.x2) / 2", "(one.y1 + one.y2) / 2")})))
  ); end $$`;

/** Lines are cut at each degree, so that each part is an arc of a great circle. */
const metres = `create function svc_geometry_distance(geometry jsonb, x float8, y float8)
  returns float8 ${planned} as $$ #variable_conflict use_column
    begin return (
    with own as materialized (select * from svc_geometry_edges(geometry)),
    pieces as materialized (
      select x1 + step / parts * (x2 - x1) as x1, y1 + step / parts * (y2 - y1) as y1,
        x1 + (step + 1) / parts * (x2 - x1) as x2, y1 + (step + 1) / parts * (y2 - y1) as y2
      from own, lateral (
        select greatest(1, ceil(greatest(abs(x2 - x1), abs(y2 - y1)))) as parts) as counted,
        lateral generate_series(0, parts::integer - 1) as step
    ), vectors as materialized (
      select pieces.*, cos(radians(y1)) * cos(radians(x1)) as sx,
        cos(radians(y1)) * sin(radians(x1)) as sy, sin(radians(y1)) as sz,
        cos(radians(y2)) * cos(radians(x2)) as ex,
        cos(radians(y2)) * sin(radians(x2)) as ey, sin(radians(y2)) as ez,
        cos(radians(y)) * cos(radians(x)) as px, cos(radians(y)) * sin(radians(x)) as py,
        sin(radians(y)) as pz
      from pieces
    ), normals as materialized (
      select *, sy * ez - sz * ey as nx, sz * ex - sx * ez as ny, sx * ey - sy * ex as nz
      from vectors
    ), arcs as materialized (
      select least(svc_metres_between(x, y, x1, y1), svc_metres_between(x, y, x2, y2)) as to_ends,
        sqrt(nx * nx + ny * ny + nz * nz) as length, px * nx + py * ny + pz * nz as above,
        (ny * sz - nz * sy) * px + (nz * sx - nx * sz) * py + (nx * sy - ny * sx) * pz as after,
        (ey * nz - ez * ny) * px + (ez * nx - ex * nz) * py + (ex * ny - ey * nx) * pz as before
      from normals
    )
    select case when ${isInside("own", "svc_geometry_distance.x", "svc_geometry_distance.y")} then 0
      else (select min(case when length = 0 or after < 0 or before < 0 then to_ends
        else least(to_ends, 6378100 * asin(least(1, abs(above) / length))) end) from arcs) end
  ); end $$`;

/** JSON that is not a geometry never passes; such a value can remain from an earlier definition. */
const passes = `create function svc_geometry_passes(geometry jsonb, operand jsonb)
  returns boolean language plpgsql immutable parallel restricted cost 10000 as $$
  declare
    relation text := operand ->> 'relation';
    x float8 := operand -> 'center' ->> 0;
    y float8 := operand -> 'center' ->> 1;
  begin
    if relation = 'within' then
      return svc_geometry_within(geometry, operand -> 'geometry');
    elsif relation = 'intersects' then
      return svc_geometry_intersects(geometry, operand -> 'geometry');
    elsif relation = 'circle' then
      return (select bool_and(svc_metres_between(x, y, x1, y1) <= (operand ->> 'metres')::float8
          and svc_metres_between(x, y, x2, y2) <= (operand ->> 'metres')::float8)
        from svc_geometry_edges(geometry));
    end if;
    return (select bool_and((x1 - x) * (x1 - x) + (y1 - y) * (y1 - y) <= radius * radius
        and (x2 - x) * (x2 - x) + (y2 - y) * (y2 - y) <= radius * radius)
      from svc_geometry_edges(geometry), (select (operand ->> 'degrees')::float8 as radius) as given);
  exception when others then
    return false;
  end $$`;

const metresOrNull = `create function svc_geometry_metres(geometry jsonb, x float8, y float8)
  returns float8 language plpgsql immutable parallel restricted cost 10000 as $$
  begin
    return svc_geometry_distance(geometry, x, y);
  exception when others then
    return null;
  end $$`;
