"""The parts of the page of a saved game: tags, cards, the curve, the style sheet, the script."""

from __future__ import annotations

from html import escape

from p2pcards.cards import Card
from p2pcards.ui.cardtext import rank_text
from p2pcards.ui.i18n import _
from p2pcards.ui.replay import Reel


def tag(name: str, inner: str, css: str = "", scope: str = "") -> str:
    """An element around what is HTML already; ``css`` its classes, ``scope`` that of a head."""
    more = (f' class="{css}"' if css else "") + (f' scope="{scope}"' if scope else "")
    return f"<{name}{more}>{inner}</{name}>"


def card_label(card: Card) -> str:
    """A card's rank and suit sign."""
    return f"{rank_text(card.rank)}{card.suit.symbol}"


def card_span(card: Card) -> str:
    """A card face up."""
    return tag("span", escape(card_label(card)), f"card {card.suit.letter}")


def cards_row(cards: list[Card]) -> str:
    """Cards side by side."""
    return " ".join(card_span(card) for card in cards)


def curve(reel: Reel) -> str:
    """The course of the match: both sides' scores over the deals, as inline SVG and in words."""
    sheets = reel.sheets
    if not sheets:
        return ""
    pair = reel.speaker.pair
    head = tag("h2", escape(_("The course of the match")))
    legend = "".join(
        tag("li", escape(f"{pair(team)}: {sheets[-1].scores[team]}"), f"side{team}")
        for team in (0, 1)
    )
    words = "; ".join(
        _("after deal {n}: {one} to {two}", n=s.deal, one=s.scores[0], two=s.scores[1])
        for s in sheets
    )
    return tag(
        "section", head + _svg(reel, words) + tag("ul", legend, "legend"), "curve"
    )  # fmt: skip


WIDTH, HEIGHT, LEFT, BASE = 640, 220, 44, 190


def _svg(reel: Reel, words: str) -> str:
    """A line for each side, with the numbers of the deals below and of the scores at the left."""
    scores = [(0, 0), *(sheet.scores for sheet in reel.sheets)]
    top = max(1, max(max(pair) for pair in scores))
    low = min(0, min(min(pair) for pair in scores))
    step = (WIDTH - LEFT - 12) / (len(scores) - 1)

    def y(score: int) -> float:
        return BASE - (score - low) * (BASE - 14) / (top - low)

    out = ""
    for value in sorted({low, 0, (top + low) // 2, top}):
        at_y = f'y1="{y(value):.1f}" y2="{y(value):.1f}"'
        out += f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 12}" {at_y}/>'
        out += f'<text class="y" x="{LEFT - 6}" y="{y(value) + 4:.1f}">{value}</text>'
    every = max(1, len(scores) // 12)
    for i in range(0, len(scores), every):
        out += f'<text class="x" x="{LEFT + i * step:.1f}" y="{BASE + 20}">{i}</text>'
    for team in (0, 1):
        at = [(LEFT + i * step, y(pair[team])) for i, pair in enumerate(scores)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in at)
        out += f'<polyline class="side{team}" points="{points}"/>'
        shape = "circle" if team == 0 else "rect"
        out += "".join(_mark(shape, team, px, py) for px, py in at[1:])
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(words)}">'
        f"<title>{escape(words)}</title>{out}</svg>"
    )


def _mark(shape: str, team: int, x: float, y: float) -> str:
    if shape == "circle":
        return f'<circle class="side{team}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    return f'<rect class="side{team}" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'


STYLE = """
:root{--felt:#14503a;--ink:#1d2521;--paper:#f6f4ee;--line:#d5d1c4;--dim:#66706a;--one:#0b6e4f;
--two:#b3541e;--red:#c01823;--card:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9e4;--paper:#161b18;--line:#333d37;
--dim:#98a49d;--one:#59c79c;--two:#f09a5f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;margin:0 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0;display:inline-block}
section,.deal{border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1.1rem;margin:1rem 0}
.verified{border-left:.4rem solid var(--one)}.broken{border-left-color:var(--red)}
.verified ul{margin:.3rem 0 0;padding-left:1.2rem;overflow-wrap:anywhere}
summary{cursor:pointer}.deal p{margin:.15rem 0}.note{color:var(--red)}
table{border-collapse:collapse;width:100%;margin:1rem 0 .4rem;overflow-wrap:anywhere}
caption{text-align:left;font-weight:600;padding-bottom:.3rem;color:var(--dim)}
th,td{padding:.28rem .5rem;text-align:left;border-top:1px solid var(--line);font-weight:400}
th{color:var(--dim)}.hands th{width:9rem}
.sheet .number{text-align:right;width:7.5rem;font-variant-numeric:tabular-nums}
.total th,.total td{font-weight:700;color:inherit;border-top:2px solid var(--ink)}
.card{display:inline-block;min-width:2.4rem;text-align:center;background:var(--card);color:#1c1c1c;
border:1px solid #b9b4a5;border-radius:.3rem;padding:0 .25rem;margin:.1rem 0;font-weight:600;
line-height:1.55rem}
.card.d,.card.h{color:var(--red)}
.card.back{background:#7c2230;border-color:#59161f;min-width:1.2rem}
.lead .card{text-decoration:underline;text-underline-offset:.2em}
.won .card{outline:2px solid #e0a800}
.curve svg{width:100%;height:auto;display:block;margin-top:.5rem}
.grid{stroke:var(--line)}.curve text{font-size:12px;fill:var(--dim)}
.y{text-anchor:end}.x{text-anchor:middle}
polyline{fill:none;stroke-width:2.5}polyline.side0{stroke:var(--one)}polyline.side1{stroke:var(--two)}
circle.side0{fill:var(--one)}rect.side1{fill:var(--two)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;margin:.4rem 0 0;padding:0}
.legend li::before{display:inline-block;width:1.6em}
.legend .side0::before{content:"●";color:var(--one)}
.legend .side1::before{content:"■";color:var(--two)}
.felt{background:var(--felt);color:#eef4ef;border-radius:.6rem;padding:1rem;display:grid;gap:.6rem;
grid-template:"top top top" auto "left mid right" 11.5rem "bottom bottom bottom" auto/1fr 13rem 1fr}
.seat{text-align:center;min-width:0;overflow-wrap:anywhere;align-self:center}
#seat2{grid-area:top}#seat1{grid-area:left}#seat3{grid-area:right}#seat0{grid-area:bottom}
#middle{grid-area:mid;position:relative}
.seat b{display:block;margin-bottom:.2rem}.seat .card{margin:.1rem}
#middle .card{position:absolute;font-size:1.25rem;padding:.35rem .45rem}
#middle .p0{bottom:.4rem;left:50%;transform:translateX(-50%)}
#middle .p2{top:.4rem;left:50%;transform:translateX(-50%)}
#middle .p1{left:.6rem;top:50%;transform:translateY(-50%)}
#middle .p3{right:.6rem;top:50%;transform:translateY(-50%)}
#middle .won{outline:3px solid #ffd75f}
#said{min-height:3rem;margin:.7rem 0 .4rem}
.buttons{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
button{font:inherit;min-width:2.6rem;padding:.25rem .5rem;border:1px solid var(--line);
border-radius:.4rem;background:transparent;color:inherit;cursor:pointer}
button:hover,button:focus-visible{background:var(--felt);color:#fff}
input[type=range]{flex:1 1 8rem;accent-color:var(--one)}
footer{color:var(--dim);font-size:.9rem;margin-top:2rem}
@media (max-width:36rem){.felt{grid-template-columns:1fr 9.5rem 1fr;padding:.5rem}
.sheet .number{width:5rem}.hands th{width:auto}th,td{padding:.25rem}}
@media print{#viewer{display:none}}
"""

SCRIPT = """
"use strict";
(function(){
var game=JSON.parse(document.getElementById("game").textContent),steps=game.steps,at=0,timer=0;
if(!steps.length)return;
var el=function(id){return document.getElementById(id)};
function card(face,extra){
  var node=document.createElement("span");
  node.className="card "+(face?face[1]:"back")+(extra?" "+extra:"");
  node.textContent=face?face[0]:"\\u00a0";
  return node;
}
function show(place){
  at=Math.max(0,Math.min(steps.length-1,place));
  var step=steps[at],middle=el("middle"),seat,i;
  for(seat=0;seat<4;seat++){
    var box=el("seat"+game.places[seat]),name=document.createElement("b");
    name.textContent=game.names[seat];
    box.replaceChildren(name);
    var hand=step.hands?step.hands[seat]:[],size=step.sizes?step.sizes[seat]:0;
    for(i=0;i<size;i++)box.append(card(hand.length?hand[i]:null));
  }
  middle.replaceChildren();
  (step.trick||[]).forEach(function(t){
    middle.append(card([t[1],t[2]],"p"+game.places[t[0]]+(t[0]===step.won?" won":"")));
  });
  el("said").textContent=step.say+(step.trump?"  \\u00b7  "+step.trump:"");
  el("where").textContent=(at+1)+"/"+steps.length+(step.score?"  \\u00b7  "+step.score:"");
  el("at").value=at;
}
function deal(way){
  var i=at+way;
  while(i>0&&i<steps.length-1&&!steps[i].new)i+=way;
  show(i);
}
function stop(){clearInterval(timer);timer=0}
var go={first:function(){show(0)},last:function(){show(steps.length-1)},
back:function(){show(at-1)},on:function(){show(at+1)},
"deal-":function(){deal(-1)},"deal+":function(){deal(1)},
play:function(){timer=setInterval(function(){if(at>=steps.length-1)stop();else show(at+1)},900)}};
document.querySelectorAll("button[data-go]").forEach(function(button){
  button.addEventListener("click",function(){
    var key=button.dataset.go,was=timer;
    stop();
    if(key!=="play"||!was)go[key]();
  });
});
el("at").max=steps.length-1;
el("at").addEventListener("input",function(){stop();show(Number(el("at").value))});
document.addEventListener("keydown",function(event){
  var keys={ArrowLeft:"back",ArrowRight:"on",PageUp:"deal-",PageDown:"deal+",Home:"first",
    End:"last"};
  if(event.target.id==="at"||!keys[event.key]||event.ctrlKey||event.altKey||event.metaKey)return;
  event.preventDefault();stop();go[keys[event.key]]();
});
el("viewer").hidden=false;
function named(){
  var place=parseInt(location.hash.slice(1),10);
  show(place>0?place-1:Math.max(0,steps.findIndex(function(s){return s.hands&&s.hands[0].length})));
}
addEventListener("hashchange",named);
named();
})();
"""
