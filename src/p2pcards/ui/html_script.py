"""What a browser does with the page of a saved game: its style sheet and its script."""

STYLE = """
:root{--felt:#14503a;--rim:#0d3a2a;--ink:#1d2521;--paper:#f4f1e9;--sheet:#fffdf8;--line:#dbd6c8;
--dim:#5f6963;--one:#0b6e4f;--two:#a94a16;--bad:#b3121d;--red:#c01823;--gold:#ffd75f}
@media (prefers-color-scheme:dark){:root{--felt:#123f2f;--rim:#0a2b20;--ink:#e6e9e4;
--paper:#121614;--sheet:#1a201d;--line:#333d37;--dim:#9faaa4;--one:#59c79c;--two:#f09a5f;
--bad:#ff8d92}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,"Segoe UI",
"DejaVu Sans",sans-serif;font-variant-emoji:text}
main{max-width:56rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 1.25rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:0}
h3{font-size:1rem;margin:1.2rem 0 .4rem;color:var(--dim)}
section,.deal{background:var(--sheet);border:1px solid var(--line);border-radius:.8rem;
padding:1rem 1.2rem;margin:1rem 0;box-shadow:0 1px 3px #0001}
.verified{border-left:.4rem solid var(--one)}.broken{border-left-color:var(--bad)}
.verified ul{margin:.3rem 0 0;padding-left:1.2rem;overflow-wrap:anywhere}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
summary{cursor:pointer;display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline}
summary::before{content:"\\25b8";color:var(--dim);width:1ch}
[open]>summary::before{content:"\\25be"}
summary::-webkit-details-marker{display:none}
summary span{color:var(--dim);overflow-wrap:anywhere}
.told{list-style:none;margin:.6rem 0 0;padding:0;overflow-wrap:anywhere}
.note{color:var(--dim);font-style:italic}.bad{color:var(--bad)}
.hands{margin:0}.hands div{display:flex;flex-wrap:wrap;gap:.1rem 1rem;padding:.35rem 0;
border-top:1px solid var(--line)}
.hands dt{flex:0 0 9rem;overflow-wrap:anywhere}.hands dd{margin:0;flex:1 1 14rem}
table{border-collapse:collapse;width:100%;margin:1.2rem 0 .4rem;overflow-wrap:anywhere}
caption{text-align:left;font-weight:700;padding-bottom:.4rem;color:var(--dim)}
th,td{padding:.3rem .4rem;text-align:left;border-top:1px solid var(--line);font-weight:400}
thead th,thead td{border-top:0;vertical-align:bottom}th{color:var(--dim)}
.tricks{table-layout:fixed;position:relative}.tricks th:first-child{width:2.2rem}
.sheet .number{text-align:right;width:8rem;font-variant-numeric:tabular-nums}
.total th,.total td{font-weight:700;color:inherit;border-top:2px solid var(--ink)}
.card{display:inline-block;min-width:2.5rem;text-align:center;background:#fff;color:#1c1c1c;
border:1px solid #b9b4a5;border-radius:.35rem;padding:0 .25rem;margin:.1rem 0;font-weight:600;
line-height:1.6rem;white-space:nowrap}
.card.d,.card.h{color:var(--red)}
.card.back{background:#7c2230;border-color:#d9b9bd;min-width:1.3rem}
.lead .card{text-decoration:underline;text-underline-offset:.2em}
.won .card{outline:3px solid #d39a00}
.curve svg{width:100%;height:auto;display:block;margin-top:.5rem}
.grid{stroke:var(--line)}.curve text{font-size:13px;fill:var(--dim)}
.y{text-anchor:end}.x{text-anchor:middle}
polyline{fill:none;stroke-width:2.5}polyline.side0{stroke:var(--one)}polyline.side1{stroke:var(--two)}
circle.side0{fill:var(--one)}rect.side1{fill:var(--two)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 2rem;margin:.4rem 0 0;padding:0;
overflow-wrap:anywhere}
.legend b{font-size:1.6rem;margin:0 .3rem;font-variant-numeric:tabular-nums}
.legend .side0::before{content:"\\25cf";color:var(--one)}
.legend .side1::before{content:"\\25a0";color:var(--two)}
#viewer:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible{
outline:3px solid var(--two);outline-offset:2px}
.strip{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin-bottom:.7rem;overflow-wrap:anywhere}
.strip #score{margin-left:auto;font-weight:700;font-variant-numeric:tabular-nums}
.felt{background:radial-gradient(circle,var(--felt),var(--rim));color:#eef4ef;border-radius:.8rem;
padding:1rem;display:grid;gap:.6rem;
grid-template:"top top top" auto "left mid right" 12rem "bottom bottom bottom" auto/1fr 14rem 1fr}
.seat{text-align:center;min-width:0;overflow-wrap:anywhere;align-self:center;border-radius:.5rem}
#seat2{grid-area:top}#seat1{grid-area:left}#seat3{grid-area:right}#seat0{grid-area:bottom}
#middle{grid-area:mid;position:relative}
.seat b{display:block}.seat small{display:block;min-height:1.3rem;line-height:1.3rem;color:#cfe0d6}
.seat .card{margin:.1rem}
.turn b{color:var(--gold)}.turn b::before{content:"\\25b8  "}
#middle .card{position:absolute;font-size:1.3rem;padding:.4rem .5rem;box-shadow:0 2px 5px #0006}
#middle .p0{bottom:.2rem;left:50%;transform:translateX(-50%)}
#middle .p2{top:.2rem;left:50%;transform:translateX(-50%)}
#middle .p1{left:.8rem;top:50%;transform:translateY(-50%)}
#middle .p3{right:.8rem;top:50%;transform:translateY(-50%)}
#middle .won{outline:3px solid var(--gold)}
#said{min-height:3rem;margin:.7rem 0 .4rem;font-size:1.1rem;overflow-wrap:anywhere}
.buttons{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
button{font:inherit;min-width:2.75rem;min-height:2.75rem;padding:.25rem .6rem;
border:1px solid var(--dim);border-radius:.5rem;background:transparent;color:inherit;cursor:pointer}
button:hover,button[aria-pressed=true]{background:var(--felt);color:#fff}
input[type=range]{flex:1 1 9rem;min-height:2.75rem;accent-color:var(--one)}
kbd{font:inherit;border:1px solid var(--line);border-radius:.3rem;padding:0 .3rem;
white-space:nowrap}
.hint{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.8rem 0 0;padding:0;
font-size:.9rem;color:var(--dim)}
footer{color:var(--dim);font-size:.9rem;margin-top:2rem}
@media (pointer:coarse){.hint{display:none}}
@media (max-width:36rem){main{padding:1rem .6rem 2rem}section,.deal{padding:.8rem}
h1{font-size:1.35rem}.felt{grid-template-columns:1fr 8.4rem 1fr;gap:.4rem;padding:.6rem .4rem}
.seat .card{font-size:.9rem;min-width:2.1rem;padding:0 .1rem;margin:.05rem}
.seat .back{min-width:1rem}#middle .p1{left:0}#middle .p3{right:0}
.curve text{font-size:20px}.sheet .number{width:5.2rem}th,td{padding:.3rem .15rem}
.tricks th:first-child{width:1.3rem}.tricks .taker{display:none}.tricks th{font-size:.9rem}
.strip #score{margin-left:0;flex-basis:100%}}
@media print{:root{--ink:#000;--paper:#fff;--sheet:#fff;--line:#bbb;--dim:#333;--one:#0b6e4f;
--two:#a94a16;--bad:#b3121d}#viewer{display:none}main{max-width:none;padding:0}
section,.deal{border:0;box-shadow:none;padding:0;margin:0 0 1.2rem}
.verified{border-left:.4rem solid var(--one);padding-left:.8rem}summary::before{display:none}
section,table,.hands{break-inside:avoid}h2,h3,caption{break-after:avoid}
.card,.won .card{print-color-adjust:exact}}
"""

SCRIPT = """
"use strict";
(function(){
var game=JSON.parse(document.getElementById("game").textContent),steps=game.steps,at=0,timer=0;
if(!steps.length)return;
var el=function(id){return document.getElementById(id)},player=document.querySelector(
  "[data-go=play]");
function make(name,text,css){
  var node=document.createElement(name);
  node.textContent=text;
  if(css)node.className=css;
  return node;
}
function card(face,extra){
  var node=make("span",face?face[0]:"\\u00a0","card "+(face?face[1]:"back")+(extra||""));
  if(face){
    node.setAttribute("role","img");
    node.setAttribute("aria-label",face[0].slice(0,-1)+" "+game.suits[face[1]]);
  }else node.setAttribute("aria-hidden","true");
  return node;
}
function show(place){
  at=Math.max(0,Math.min(steps.length-1,place));
  var step=steps[at],middle=el("middle"),seat,i;
  for(seat=0;seat<4;seat++){
    var box=el("seat"+game.places[seat]),hand=step.hands[seat];
    box.className="seat"+(step.turn===seat?" turn":"");
    box.replaceChildren(make("b",game.names[seat]),make("small",step.marks[seat]));
    for(i=0;i<step.sizes[seat];i++)box.append(card(hand.length?hand[i]:null));
  }
  middle.replaceChildren();
  step.trick.forEach(function(t){
    middle.append(card([t[1],t[2]]," p"+game.places[t[0]]+(t[0]===step.won?" won":"")));
  });
  ["said","deal","trump","score"].forEach(function(id){el(id).textContent=step[id]});
  el("hidden").hidden=!step.hidden;
  el("where").textContent=(at+1)+"/"+steps.length;
  el("at").value=at;
  el("at").setAttribute("aria-valuetext",(at+1)+"/"+steps.length+": "+step.said);
}
function deal(way){
  var i=at+way;
  while(i>0&&i<steps.length-1&&!steps[i].new)i+=way;
  show(i);
}
function runs(yes){
  clearInterval(timer);
  timer=yes?setInterval(function(){
    if(at>=steps.length-1)runs(false);else show(at+1);
  },1100):0;
  player.setAttribute("aria-pressed",String(yes));
  el("said").setAttribute("aria-live",yes?"off":"polite");
}
var go={first:function(){show(0)},last:function(){show(steps.length-1)},
back:function(){show(at-1)},on:function(){show(at+1)},
"deal-":function(){deal(-1)},"deal+":function(){deal(1)},play:function(){runs(true)}};
document.querySelectorAll("button[data-go]").forEach(function(button){
  button.addEventListener("click",function(){
    var key=button.dataset.go,ran=timer;
    runs(false);
    if(key!=="play"||!ran)go[key]();
  });
});
el("at").max=steps.length-1;
el("at").addEventListener("input",function(){runs(false);show(Number(el("at").value))});
document.addEventListener("keydown",function(event){
  var keys={ArrowLeft:"back",ArrowRight:"on"};
  if(el("viewer").contains(event.target))keys={ArrowLeft:"back",ArrowRight:"on",PageUp:"deal-",
    PageDown:"deal+",Home:"first",End:"last"};
  if(event.target.id==="at"||!keys[event.key]||event.ctrlKey||event.altKey||event.metaKey)return;
  event.preventDefault();runs(false);go[keys[event.key]]();
});
el("viewer").hidden=false;
function named(){
  var place=parseInt(location.hash.slice(1),10);
  show(place>0?place-1:Math.max(0,steps.findIndex(function(s){return s.sizes[0]})));
}
addEventListener("hashchange",named);
named();
})();
"""
